import { fileURLToPath } from 'node:url';
import { build, type AliasOptions } from 'vite';

export interface WorkerBuild {
  /** Stands in for a module of this name; by default everything is what it says. */
  readonly alias?: AliasOptions;
  /** @default 'production' */
  readonly mode?: 'development' | 'production';
}

/** Builds one worker of `workers/` into one script, as an app's bundler would. */
export async function buildWorker(
  name: string,
  { alias = {}, mode = 'production' }: WorkerBuild = {},
): Promise<string> {
  const root = fileURLToPath(new URL('./workers/', import.meta.url));
  const built = await build({
    configFile: false,
    root,
    mode,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    resolve: { alias },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      rolldownOptions: { input: `${root}${name}.ts`, output: { format: 'iife', entryFileNames: '[name].js' } },
    },
  });
  const [output] = [built].flat();
  if (!output || !('output' in output)) throw new Error('the bundler gave no output');
  return output.output[0].code;
}
