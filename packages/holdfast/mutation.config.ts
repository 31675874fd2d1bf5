import { defineConfig } from 'vitest/config';

/** The tests that mutants of `core` and `flow` have to survive. */
const rooms = (process.env.MUTATE ?? 'core,flow').split(',');

/** The flow is also held to what the pages and the cases promise. */
const testsOf = (room: string): string[] =>
  (room === 'flow' ? ['flow', 'page', 'testing/cases'] : [room]).map((folder) => `src/${folder}/**/*.test.ts`);

export default defineConfig({
  root: import.meta.dirname,
  test: {
    environment: 'node',
    include: [...new Set(rooms.flatMap(testsOf))],
    exclude: ['**/*.long.test.ts'],
  },
});
