import { defineConfig } from 'vitest/config';

/** The tests that mutants of `core` and `flow` have to survive. */
const rooms = (process.env.MUTATE ?? 'core,flow').split(',');

export default defineConfig({
  root: import.meta.dirname,
  test: { environment: 'node', include: rooms.map((room) => `src/${room}/**/*.test.ts`) },
});
