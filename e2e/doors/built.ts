import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

/**
 * Runs a build script of this folder in a process of its own, as its author would, and gives what it wrote by its path on
 * the site.
 */
export async function built(
  script: string,
  args: readonly string[] = [],
  mode: 'development' | 'production' = 'production',
): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-example-'));
  // Without what the test runner sets.
  const { VITEST: _, ...env } = process.env;
  try {
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, script), ...args, folder], {
      env: { ...env, NODE_ENV: mode },
    });
    const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const paths = names.map(({ parentPath, name }) => join(parentPath, name));
    return new Map(paths.map((path) => [`/${relative(folder, path)}`, readFileSync(path, 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
