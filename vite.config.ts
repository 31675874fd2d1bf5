import { configDefaults, defineConfig } from 'vitest/config';
import { demoSource } from './demo-pwa/source.ts';
import { browserProject } from './e2e/browsers/test-project.ts';

/** Ends what hangs, ms; how fast a machine is is nothing a test asserts. */
const testTimeout = 60_000;

/**
 * Test files that need nothing but Node share a thread, for starting one costs more than most of them. Each still loads the
 * sources anew; what it leaves in a global or a library, the next one would find.
 */
const inNode = { environment: 'node', pool: 'threads', isolate: false, testTimeout } as const;
const longTests = '**/*.long.test.ts';
const quick = [...configDefaults.exclude, longTests];

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
          ...inNode,
          name: 'node',
          root: 'packages/holdfast',
          include: ['src/**/*.test.ts'],
          exclude: quick,
          setupFiles: ['src/testing/fresh-databases.ts'],
        },
      },
      {
        test: {
          ...inNode,
          name: 'server',
          root: 'packages/holdfast-server',
          include: ['src/**/*.test.ts'],
          exclude: quick,
        },
      },
      {
        resolve: { alias: demoSource },
        test: {
          ...inNode,
          name: 'demo',
          root: 'demo-pwa',
          include: ['{app,server,worker}/**/*.test.ts'],
          exclude: quick,
        },
      },
      { test: { ...inNode, name: 'docs', root: 'docs', include: ['**/*.test.ts'], exclude: quick } },
      // Needs no browser, but more patience than the rest: whole histories, a week offline, processes that are killed.
      {
        resolve: { alias: demoSource },
        test: {
          name: 'long',
          root: '.',
          environment: 'node',
          include: [`packages/*/src/${longTests}`, `demo-pwa/server/${longTests}`, `docs/code/${longTests}`],
          testTimeout,
        },
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
