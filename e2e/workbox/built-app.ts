import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export type Strategy = 'generateSW' | 'injectManifest';
export type Library = 'workbox' | 'holdfast';

/** Builds the app in a process of its own, as its author would, and gives its files by their path on the site. */
export async function builtApp(strategy: Strategy, library: Library): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-app-'));
  // Without what the test runner sets: libraries are built for production.
  const { VITEST: _, NODE_ENV: _env, ...env } = process.env;
  const script = fileURLToPath(new URL('./build-app.mjs', import.meta.url));
  try {
    await promisify(execFile)(process.execPath, [script, strategy, library, folder], { env });
    const files = new Map(
      [...filesOf(folder)].map((path) => [`/${relative(folder, path)}`, readFileSync(path, 'utf8')]),
    );
    return files.set('/', files.get('/index.html') ?? '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function* filesOf(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* filesOf(path);
    else yield path;
  }
}
