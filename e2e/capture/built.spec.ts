import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../../packages/holdfast/', import.meta.url));
const dist = join(folder, 'dist');

/** Both doors as Vite builds them into an app under a condition. */
async function bundled(condition: 'development' | 'production'): Promise<string> {
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

it('an app built for production has none of the warnings, one built for development has them', async () => {
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
