import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runCommand } from './run-command.mjs';
import { vitestCounts } from './vitest-counts.mjs';

const root = resolve(import.meta.dirname, '../..');
const pinned = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager;
const tool = (name) => join(root, 'node_modules/.bin', name);
const minutes = (count) => count * 60_000;

const seconds = (tookMs) => `${(tookMs / 1000).toFixed(1)} s`;

/** A failed step shows all it printed; a passed one only its name, unless it was live. */
function report(name, { ok, output, tookMs }, live) {
  if (!ok && !live) console.log(`\n──── ${name} ────\n${output.trimEnd()}\n────`);
  console.log(`${ok ? '✓' : '✗'} ${name} (${seconds(tookMs)})`);
}

/** A step that is one test: the program ends with 0 or it does not. */
const oneTest = (name, [command, ...args], { after, cwd = '.', limitMs = minutes(3), live, alone } = {}) => ({
  name,
  after,
  alone,
  run: async () => {
    const result = await runCommand(command, args, { cwd: join(root, cwd), limitMs, live });
    report(name, result, live);
    return { passed: result.ok ? 1 : 0, failed: result.ok ? 0 : 1, skipped: 0 };
  },
});

/** A step that is a vitest run; its tests count one by one. */
const vitest = (name, projects, { after, limitMs = minutes(5), live, alone } = {}) => ({
  name,
  after,
  alone,
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-report-'));
    const file = join(folder, 'report.json');
    const args = ['run', ...projects.flatMap((project) => ['--project', project])];
    args.push('--reporter=default', '--reporter=json', `--outputFile.json=${file}`, '--passWithNoTests');
    if (live) console.log(`\n──── ${name} ────`);
    const result = await runCommand(tool('vitest'), args, { cwd: root, limitMs, live });
    const counts = vitestCounts(file, result.ok);
    rmSync(folder, { recursive: true, force: true });
    report(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`, result, live);
    return counts;
  },
});

const pnpm = (...args) => ['npx', '-y', pinned, ...args];
const packages = ['holdfast', 'holdfast-server'];

/** Under a minute: what must hold before anything is committed. The long ones come first. */
export const checkSteps = [
  oneTest('build', pnpm('-r', '--filter', './packages/*', 'build')),
  oneTest('services', [tool('tsx'), 'e2e/setup/services.ts'], { limitMs: minutes(10) }),
  vitest('unit tests', ['node', 'server', 'demo'], { after: ['services'] }),
  // Both read the types of the packages as they were built.
  oneTest('types', pnpm('-r', 'types'), { after: ['build'] }),
  oneTest('lint', [tool('eslint'), '.', '--max-warnings', '0'], { after: ['build'] }),
  oneTest('demo build', pnpm('--filter', 'demo-pwa', 'build'), { after: ['build'] }),
  oneTest('format', [tool('prettier'), '--check', '--log-level=warn', '--cache', '.']),
  ...packages.flatMap((name) => {
    const options = { after: ['build'], cwd: `packages/${name}` };
    return [
      oneTest(`${name}: sizes`, [tool('size-limit')], options),
      oneTest(`${name}: publint`, [tool('publint'), '--strict', '--pack', 'npm'], options),
      oneTest(`${name}: types for users`, [tool('attw'), '--pack', '.', '--profile', 'esm-only'], options),
      oneTest(`${name}: doors`, [process.execPath, join(root, 'e2e/run/import-doors.mjs'), '.'], options),
    ];
  }),
  oneTest('sizes in the README', [process.execPath, 'e2e/run/readme-sizes.mjs']),
];

const engines = (process.env.ENGINES ?? 'chromium,firefox,webkit').split(',');

/** Everything that needs a browser, one step at a time: two engines on two cores time each other out. */
export const browserSteps = [
  oneTest('browsers', [tool('tsx'), 'e2e/setup/browsers.ts', ...engines], {
    limitMs: minutes(10),
    live: true,
    alone: true,
  }),
  ...engines.map((name) => vitest(name, [name], { after: ['browsers'], live: true, alone: true })),
  vitest('e2e', ['e2e'], { after: ['browsers', 'demo build'], limitMs: minutes(12), live: true, alone: true }),
];
