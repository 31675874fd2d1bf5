import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('./app/', import.meta.url));
const sources = fileURLToPath(new URL('../../packages/holdfast/src/', import.meta.url));

/** Longer names first: an alias also takes what begins with it. */
const alias = {
  'holdfast/panel/define': `${sources}panel/define.ts`,
  'holdfast/page': `${sources}page/index.ts`,
  'holdfast/sw': `${sources}sw/index.ts`,
  holdfast: `${sources}core/index.ts`,
};

const html =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Small</title></head>' +
  '<body><script type="module" src="/page.js"></script></body></html>';

/** Builds the small app as an app's bundler would, from the package's source. @returns paths and their content */
export async function buildApp(): Promise<readonly (readonly [path: string, content: string])[]> {
  const scripts = [...(await buildScript(root, 'page', 'es')), ...(await buildScript(root, 'worker', 'iife'))];
  return [['/', html], ...scripts];
}

/** Builds `name.ts` of a folder into one script and its chunks, the script first. */
export async function buildScript(
  root: string,
  name: string,
  format: 'es' | 'iife',
): Promise<(readonly [path: string, content: string])[]> {
  const done = await build({
    configFile: false,
    root,
    mode: 'production',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    // What people ship, also when a test runner says that this is no production.
    resolve: { alias, conditions: ['module', 'browser', 'production'] },
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: {
        input: `${root}${name}.ts`,
        output: { format, entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
  const [output] = [done].flat();
  if (!output || !('output' in output)) throw new Error('the bundler gave no output');
  return output.output.flatMap((file) => (file.type === 'chunk' ? [[`/${file.fileName}`, file.code] as const] : []));
}
