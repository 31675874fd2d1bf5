import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { type Manifest, packProblems } from './pack-problems.ts';

/** Looks into a package as it would be published: `tsx e2e/run/check-pack.ts TARBALL`. */
const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'holdfast-packed-'));
try {
  execFileSync('tar', ['-xzf', resolve(process.argv[2] ?? ''), '-C', folder]);
  const inside = join(folder, 'package');
  const paths = readdirSync(inside, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(inside, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  const files = new Map(paths.map((path) => [path, readFileSync(join(inside, path), 'utf8')]));
  const manifest = JSON.parse(files.get('package.json') ?? '{}') as Manifest;

  const problems = packProblems(manifest, files, readFileSync(join(root, 'LICENSE'), 'utf8'), root);
  for (const problem of problems) console.error(problem);
  console.log(`${files.size} files`);
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
