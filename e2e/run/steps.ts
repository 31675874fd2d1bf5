import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inWords, oneFailed, onePassed } from './counts.ts';
import { type CommandResult, runCommand } from './run-command.ts';
import type { Step } from './schedule.ts';
import { vitestCounts } from './vitest-counts.ts';

const root = resolve(import.meta.dirname, '../..');
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { packageManager: string };
const tool = (name: string) => join(root, 'node_modules/.bin', name);
/** From another folder: here npx would look through all that is installed first, and take longer than what it starts. */
const pnpm = (...args: string[]): Command => ['npx', '-y', packageManager, '-C', root, ...args];
const elsewhere = { cwd: tmpdir() };
const minutes = (count: number) => count * 60_000;

type Command = readonly [program: string, ...args: string[]];

interface StepOptions extends Pick<Step, 'after' | 'alone'> {
  /** Where it runs, from the root of the repository. @default there */
  readonly cwd?: string;
  readonly limitMs?: number;
  /** Print while it runs. */
  readonly live?: boolean;
}

/** A failed step shows all it printed; a passed one only its name, unless it was live. */
function report(title: string, { ok, output, tookMs }: CommandResult, live = false): void {
  if (!ok && !live) console.log(`\n──── ${title} ────\n${output.trimEnd()}\n────`);
  console.log(`${ok ? '✓' : '✗'} ${title} (${(tookMs / 1000).toFixed(1)} s)`);
}

/** A step that is one test: the program ends with 0 or it does not. */
const oneTest = (name: string, [program, ...args]: Command, options: StepOptions = {}): Step => ({
  name,
  after: options.after,
  alone: options.alone,
  run: async () => {
    const { cwd = '.', limitMs = minutes(10), live } = options;
    const result = await runCommand(program, args, { cwd: resolve(root, cwd), limitMs, live });
    report(name, result, live);
    return result.ok ? onePassed : oneFailed;
  },
});

/** A step that is a vitest run; its tests count one by one. */
const vitest = (name: string, projects: readonly string[], options: StepOptions = {}): Step => ({
  name,
  after: options.after,
  alone: options.alone,
  run: async () => {
    const { limitMs = minutes(10), live } = options;
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-report-'));
    const file = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`, '--passWithNoTests'];
    const args = ['run', ...projects.flatMap((project) => ['--project', project]), ...reporters];
    if (live) console.log(`\n──── ${name} ────`);
    const result = await runCommand(tool('vitest'), args, { cwd: root, limitMs, live });
    const counts = vitestCounts(file, result.ok);
    rmSync(folder, { recursive: true, force: true });
    report(`${name}: ${inWords(counts)}`, result, live);
    return counts;
  },
});

/** Where the packages lie as they would be published. */
const packed = join(root, 'node_modules/.cache/packed');

const packageSteps = (name: string): Step[] => {
  const folder = `packages/${name}`;
  const { version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { version: string };
  const tarball = join(packed, `${name}-${version}.tgz`);
  const built = { after: ['build'], cwd: folder };
  const isPacked = { after: ['pack'] };
  return [
    oneTest(`${name}: sizes`, [tool('size-limit')], built),
    oneTest(`${name}: doors`, [process.execPath, join(root, 'e2e/run/import-doors.mjs'), '.'], built),
    oneTest(`${name}: publint`, [tool('publint'), tarball, '--strict'], isPacked),
    oneTest(`${name}: types for users`, [tool('attw'), tarball, '--profile', 'esm-only'], isPacked),
    oneTest(`${name}: what is packed`, [tool('tsx'), 'e2e/run/check-pack.ts', tarball], isPacked),
  ];
};

/** About a minute: what must hold before anything is committed. What others wait for comes first, then the long ones. */
export const checkSteps: readonly Step[] = [
  oneTest('build', pnpm('-r', '--filter', './packages/*', 'build'), elsewhere),
  oneTest('services', [tool('tsx'), 'e2e/setup/services.ts'], { limitMs: minutes(10) }),
  vitest('unit tests', ['node', 'server', 'demo', 'docs'], { after: ['services'] }),
  // Checks each file's types in one program on the way; the rooms below are checked in each one they may run in. All of
  // them read the types of the packages as they were built.
  oneTest('lint, walls and types', [tool('oxlint')], { after: ['build'] }),
  oneTest('types of the rooms', pnpm('-r', 'types:rooms'), { ...elsewhere, after: ['build'] }),
  oneTest('code in the docs', [tool('tsx'), 'docs/code/check.ts'], { after: ['build'] }),
  oneTest('pack', pnpm('-r', '--filter', './packages/*', 'pack', '--pack-destination', packed), {
    ...elsewhere,
    after: ['build'],
  }),
  ...['holdfast', 'holdfast-server'].flatMap(packageSteps),
  oneTest('format', [tool('oxfmt'), '--check']),
  oneTest('sizes in the README', [tool('tsx'), 'e2e/run/check-readme-sizes.ts']),
];

const engines = (process.env['ENGINES'] ?? 'chromium,firefox,webkit').split(',');

/** Needs no browser, but both cores for minutes. */
export const longSteps: readonly Step[] = [
  oneTest('model: 10,000 histories', [tool('tsx'), 'e2e/model/run.ts', '--runs', '10000', '--seed', '20261130'], {
    limitMs: minutes(25),
    live: true,
    alone: true,
  }),
  // Every program whole, by the compiler itself.
  oneTest('types', pnpm('-r', 'types'), { ...elsewhere, after: ['build'] }),
  vitest('long tests', ['long'], { after: ['services'], alone: true }),
  // A link to a page that is not there fails it.
  oneTest('docs site', [process.execPath, 'docs/site/build.mjs'], { limitMs: minutes(10) }),
];

/** Everything that needs a browser, one step at a time: two engines on two cores time each other out. */
export const browserSteps: readonly Step[] = [
  oneTest('browsers', [tool('tsx'), 'e2e/setup/browsers.ts', ...engines], {
    limitMs: minutes(10),
    live: true,
    alone: true,
  }),
  ...engines.map((name) => vitest(name, [name], { after: ['browsers'], live: true, alone: true })),
  oneTest('demo build', [tool('vite'), 'build'], { after: ['build'] }),
  vitest('e2e', ['e2e'], { after: ['browsers', 'demo build'], limitMs: minutes(25), live: true, alone: true }),
];
