/**
 * Mutation testing of the decisions and the flow: `npx -y pnpm@12.4.2 mutation`. It takes long and is not part of CI.
 * `MUTATE=core` (or `flow`) does one of the two rooms, `MUTATE_STATIC=1` includes tables and patterns; for these do one file
 * at a time (`-m packages/holdfast/src/core/pick.ts`), so that only the tests that reach it are run.
 */
const rooms = (process.env.MUTATE ?? 'core,flow').split(',');
const room = (name) => `packages/holdfast/src/${name}`;

export default {
  testRunner: 'vitest',
  // Named, since pnpm does not put it where the default pattern looks.
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'packages/holdfast/mutation.config.ts' },
  mutate: rooms.flatMap((name) => [`${room(name)}/**/*.ts`, `!${room(name)}/**/*.test.ts`]),
  coverageAnalysis: 'perTest',
  // Mutants of what is evaluated on import (tables, patterns) need every test anew: a fifth of them, most of the time.
  ignoreStatic: process.env.MUTATE_STATIC === undefined,
  concurrency: Number(process.env.MUTATE_CONCURRENCY ?? 2),
  timeoutMS: 20_000,
  // Only what these tests need goes into the sandbox.
  ignorePatterns: [
    '/*',
    '!/packages',
    '/packages/*',
    '!/packages/holdfast',
    '!/package.json',
    '!/tsconfig.base.json',
    '/packages/holdfast/dist',
  ],
  tempDirName: '.stryker-tmp',
  reporters: ['clear-text', 'json', 'html'],
  jsonReporter: { fileName: 'reports/mutation/mutation.json' },
  htmlReporter: { fileName: 'reports/mutation/mutation.html' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 85, break: 85 },
};
