import { defineConfig } from 'vitest/config';

/** Serves `demo-pwa` and defines the test projects. */
export default defineConfig({
  root: 'demo-pwa',
  test: {
    root: '.',
    projects: [
      { test: { name: 'node', root: 'packages/holdfast', environment: 'node', include: ['src/**/*.test.ts'] } },
      { test: { name: 'server', root: 'packages/holdfast-server', environment: 'node', include: ['src/**/*.test.ts'] } },
    ],
  },
});
