import { defineConfig } from 'vitest/config';
import { browserProject } from './e2e/browsers/test-project.ts';

/** Serves `demo-pwa` and defines the test projects. */
export default defineConfig({
  root: 'demo-pwa',
  test: {
    root: '.',
    projects: [
      { test: { name: 'node', root: 'packages/holdfast', environment: 'node', include: ['src/**/*.test.ts'] } },
      {
        test: { name: 'server', root: 'packages/holdfast-server', environment: 'node', include: ['src/**/*.test.ts'] },
      },
      browserProject('chromium'),
      browserProject('firefox'),
      browserProject('webkit'),
      {
        test: {
          name: 'e2e',
          root: 'e2e',
          environment: 'node',
          include: ['**/*.spec.ts'],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
