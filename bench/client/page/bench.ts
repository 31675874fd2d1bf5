/** What one job found: milliseconds, rates per second or bytes, by name. */
export type Figures = Readonly<Record<string, number>>;

export type Task = (options: URLSearchParams) => Promise<Figures>;

const options = new URLSearchParams(location.search);
const control = options.get('control') ?? '';

/** Asks the bench's own server; it is there while the app's is not. */
async function ask(path: string): Promise<string> {
  return (await fetch(control + path, { method: 'POST' })).text();
}

export const bench = {
  serverDown: () => ask('/server?state=down'),
  serverUp: () => ask('/server?state=up'),
  /** Resolves when the app's server has answered this many writes since the job began, or since `forget`. */
  answered: (count: number) => ask(`/answered?count=${count}`),
  forget: () => ask('/reset'),
  /** Milliseconds that main threads of pages have been computing; NaN where the system does not tell. */
  async pageCpuMs(): Promise<number> {
    const { ns } = JSON.parse(await ask('/cpu')) as { ns: number | null };
    return (ns ?? NaN) / 1e6;
  },
};

/** Runs the task the bench asked for, reports, and goes on to the next job. */
export async function play(tasks: Readonly<Record<string, Task>>): Promise<void> {
  const task = tasks[options.get('task') ?? ''];
  let report: object;
  try {
    if (!task) throw new Error(`there is no task ${options.get('task')}`);
    report = { figures: await task(options) };
  } catch (error) {
    report = { error: error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : String(error) };
  }
  await fetch(`${control}/report`, { method: 'POST', body: JSON.stringify(report) });
  location.href = await ask('/next');
}

/** The service worker of this script, in control of this page. */
export async function workerOf(script: string): Promise<ServiceWorker> {
  await navigator.serviceWorker.register(script);
  await navigator.serviceWorker.ready;
  while (!navigator.serviceWorker.controller)
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    );
  return navigator.serviceWorker.controller;
}

/** Has a worker do something; resolves with its answer. */
export function have<T>(worker: ServiceWorker, order: object): Promise<T> {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<{ value?: T; error?: string }>) => {
      port1.close();
      if (data.error === undefined) resolve(data.value as T);
      else reject(new Error(data.error));
    };
    worker.postMessage(order, [port2]);
  });
}

/** A write as apps make them: some hundred bytes of JSON. */
export function note(number: number): [url: string, init: RequestInit] {
  const body = { number, title: `Note ${number}`, text: 'x'.repeat(160), tags: ['a', 'b'] };
  return [
    '/api/notes',
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  ];
}

/** Milliseconds that `work` took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** How many a second: `each` one after another. */
export async function rateInTurn(count: number, each: (number: number) => Promise<unknown>): Promise<number> {
  const tookMs = await timed(async () => {
    for (let number = 0; number < count; number += 1) await each(number);
  });
  return (count / tookMs) * 1000;
}

/** How many a second: `width` at once, then the next `width`. */
export async function rateAtOnce(
  rounds: number,
  width: number,
  each: (number: number) => Promise<unknown>,
): Promise<number> {
  const tookMs = await timed(async () => {
    for (let round = 0; round < rounds; round += 1)
      await Promise.all(Array.from({ length: width }, (_, at) => each(round * width + at)));
  });
  return ((rounds * width) / tookMs) * 1000;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? NaN) : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}
