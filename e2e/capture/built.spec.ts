import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, it } from 'vitest';
import webpack from 'webpack';

const folder = fileURLToPath(new URL('../../packages/holdfast/', import.meta.url));
const dist = join(folder, 'dist');

type Condition = 'development' | 'production';

/** Both doors as Vite builds them into an app under a condition. */
async function byVite(condition: Condition): Promise<string> {
  const done = await build({
    configFile: false,
    root: dist,
    mode: condition,
    logLevel: 'error',
    resolve: { conditions: ['module', 'browser', condition] },
    build: {
      write: false,
      minify: false,
      lib: { entry: [join(dist, 'page.js'), join(dist, 'sw.js')], formats: ['es'] },
    },
  });
  const [output] = [done].flat();
  if (!output || !('output' in output)) throw new Error('the bundler gave no output');
  return output.output.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n');
}

/** The same by webpack, which takes the condition from its mode. */
async function byWebpack(mode: Condition): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-webpack-'));
  try {
    await new Promise<void>((resolve, reject) => {
      const compiler = webpack({
        mode,
        target: 'web',
        context: dist,
        entry: { page: join(dist, 'page.js'), sw: join(dist, 'sw.js') },
        // Exports that nobody uses, and what only they need, would be left out of any build.
        output: { path: folder, library: { type: 'commonjs2' } },
        devtool: false,
        optimization: { minimize: false },
        performance: { hints: false },
      });
      compiler.run((failed, stats) =>
        compiler.close((notClosed) => {
          const error = failed ?? notClosed ?? (stats?.hasErrors() ? new Error(stats.toString('errors-only')) : null);
          if (error) reject(error);
          else resolve();
        }),
      );
    });
    const files = readdirSync(folder).filter((file) => file.endsWith('.js'));
    return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it('no file but the one for development can write to a console', () => {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    // The panel as one classic script has lit in it.
    .filter((file) => file !== 'holdfast.panel.classic.js');
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => /\bconsole\./.test(readFileSync(join(dist, file), 'utf8')))).toEqual([
    'hints.development.js',
  ]);
});

it.each([
  { title: 'Vite', bundled: byVite },
  { title: 'webpack', bundled: byWebpack },
])('an app that $title builds has the warnings in development, and none of them in production', async ({ bundled }) => {
  const [development, production] = [await bundled('development'), await bundled('production')];
  expect(development).toContain('[holdfast] ');
  expect(development).toContain('clients.claim()');
  expect(production).not.toContain('[holdfast]');
  expect(production).not.toContain('clients.claim()');
});

it('plain Node takes the silent build, and the other when asked', () => {
  const kind = (...conditions: string[]) =>
    execFileSync(
      process.execPath,
      [...conditions, '--input-type=module', '-e', 'console.log(typeof (await import("#hints")).hints)'],
      { cwd: folder, encoding: 'utf8' },
    ).trim();
  expect(kind()).toBe('undefined');
  expect(kind('--conditions=development')).toBe('object');
});
