import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

/** Every page and worker script as an app would ship it: one minified file each, by its path on the site. */
export async function buildScripts(): Promise<ReadonlyMap<string, string>> {
  const scripts = new Map<string, string>();
  for (const kind of ['page', 'worker'] as const) {
    const folder = join(import.meta.dirname, kind);
    const contenders = readdirSync(folder).filter((name) => name.endsWith(`.${kind}.ts`));
    for (const name of contenders) scripts.set(`/${name.replace(/ts$/, 'js')}`, await bundle(join(folder, name)));
  }
  return scripts;
}

export async function bundle(input: string, code?: string): Promise<string> {
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    mode: 'production',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    ...(code !== undefined && {
      plugins: [
        {
          name: 'given-code',
          enforce: 'pre' as const,
          resolveId: (id: string) => (id === input ? input : undefined),
          load: (id: string) => (id === input ? code : undefined),
        },
      ],
    }),
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input, output: { format: 'iife', entryFileNames: '[name].js' } },
    },
  });
  const [output] = [built].flat();
  if (!output || !('output' in output)) throw new Error(`the bundler gave no output for ${input}`);
  return output.output[0].code;
}
