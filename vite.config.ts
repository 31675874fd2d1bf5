import { defineConfig } from 'vitest/config';
import { demoSource } from './demo-pwa/source.ts';
import { browserProject } from './e2e/browsers/test-project.ts';

/** Ends what hangs, ms; how fast a machine is is nothing a test asserts. */
const testTimeout = 60_000;

/** Serves `demo-pwa` and defines the test projects. */
export default defineConfig({
  root: `${import.meta.dirname}/demo-pwa`,
  // Tests need nothing of the demo's build.
  plugins: process.env.VITEST ? [] : [(await import('./demo-pwa/build-options.ts')).demoPlugins()],
  worker: { format: 'es' },
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2022' },
  test: {
    root: '.',
    projects: [
      {
        test: {
          name: 'node',
          root: 'packages/holdfast',
          environment: 'node',
          include: ['src/**/*.test.ts'],
          exclude: ['**/*.long.test.ts'],
          testTimeout,
        },
      },
      {
        test: {
          name: 'server',
          root: 'packages/holdfast-server',
          environment: 'node',
          include: ['src/**/*.test.ts'],
          testTimeout,
        },
      },
      {
        resolve: { alias: demoSource },
        test: {
          name: 'demo',
          root: 'demo-pwa',
          environment: 'node',
          include: ['{app,server,worker}/**/*.test.ts'],
          testTimeout,
        },
      },
      // Needs no browser, but more patience than the rest: whole histories, a week offline.
      {
        test: {
          name: 'long',
          root: 'packages/holdfast',
          environment: 'node',
          include: ['src/**/*.long.test.ts'],
          testTimeout,
        },
      },
      { test: { name: 'docs', root: 'docs', environment: 'node', include: ['**/*.test.ts'], testTimeout } },
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
