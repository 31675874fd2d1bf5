import { fileURLToPath } from 'node:url';
import { buildScript } from '../identity/build-app.ts';

export type Library = 'holdfast' | 'workbox';

const root = fileURLToPath(new URL('./app/', import.meta.url));

const page =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Chaos</title><link rel="icon" href="data:,"></head>' +
  '<body><script type="module" src="/page.js"></script></body></html>';

/** A release of the app; each number is another one by its bytes. */
export type Release = (number: number, skip: boolean) => Readonly<Record<string, string>>;

/** Builds the app as a bundler would. @returns what makes releases of it */
export async function buildChaosApp(library: Library): Promise<Release> {
  const suffix = library === 'holdfast' ? '' : '-workbox';
  const [script] = await buildScript(root, `page${suffix}`, 'es');
  const [worker] = await buildScript(root, `worker${suffix}`, 'iife');
  if (!script || !worker) throw new Error('the bundler gave no scripts');
  return (number, skip) => ({
    '/app/': page,
    '/bare/': page,
    '/page.js': script[1],
    '/worker.js': `self.release = ${JSON.stringify({ number, skip })};\n${worker[1]}`,
  });
}
