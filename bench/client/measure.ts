import { jobs, preparations, type Job, type JobName } from './jobs.ts';
import { openSite } from './site.ts';
import { plainChromium } from './plain-chromium.ts';

/** Per measurement, one value for each round. */
export type Rounds = Partial<Record<JobName, number[]>>;

interface Report {
  readonly figures?: Readonly<Record<string, number>>;
  readonly error?: string;
}

const jobLimitMs = 180_000;
const fillLimitMs = 900_000;

/**
 * Runs every job once in each round, in another order each time, so that what disturbs the machine for a while disturbs
 * all alike.
 */
export async function measure(
  names: readonly JobName[],
  rounds: number,
  scripts: ReadonlyMap<string, string>,
  say: (line: string) => void,
): Promise<Rounds> {
  const browser = plainChromium();
  const site = await openSite(scripts, { pageCpuNs: () => browser.pageCpuNs() });
  let runs = 0;
  async function run(job: Job, limitMs = jobLimitMs): Promise<number> {
    runs += 1;
    const host = job.host ?? `run-${runs}`;
    const report = (await site.run(
      host,
      `/${job.contender}.page.js`,
      { ...job.options, task: job.task },
      limitMs,
    )) as Report;
    const value = Object.values(report.figures ?? {})[0];
    if (value === undefined || !Number.isFinite(value)) {
      throw new Error(`${job.contender} ${job.task} gave no figure: ${report.error ?? JSON.stringify(report.figures)}`);
    }
    return value;
  }

  try {
    browser.open(site.start);
    for (const [host, fill] of Object.entries(preparations)) {
      if (!names.some((name) => hostOf(name) === host)) continue;
      say(`filling ${host} with ${fill.options['count']} requests`);
      await run(fill, fillLimitMs);
    }
    const found: Rounds = {};
    for (let round = 1; round <= rounds; round += 1) {
      const turned = names.map((_, at) => names[(at + round - 1) % names.length] as JobName);
      for (const name of round % 2 ? turned : turned.reverse()) {
        const value = await run(jobs[name]);
        (found[name] ??= []).push(value);
        say(`round ${round}: ${name} ${value.toPrecision(3)} ${jobs[name].unit}`);
      }
    }
    return found;
  } finally {
    await browser.close();
    await site.close();
  }
}

function hostOf(name: JobName): string | undefined {
  const job: Job = jobs[name];
  return job.host;
}
