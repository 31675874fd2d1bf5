import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Manifest, packProblems } from './pack-problems.ts';

/** Looks into a package as npm would publish it: `tsx e2e/run/check-pack.ts FOLDER`, after its build. */
const root = resolve(import.meta.dirname, '../..');
const folder = resolve(process.argv[2] ?? '.');
const text = (name: string): string => readFileSync(join(folder, name), 'utf8');

const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
  cwd: folder,
  encoding: 'utf8',
});
const [pack] = JSON.parse(listed) as [{ readonly files: readonly { readonly path: string }[]; readonly size: number }];
const files = new Map(pack.files.map(({ path }) => [path, text(path)]));
const license = readFileSync(join(root, 'LICENSE'), 'utf8');

const problems = packProblems(JSON.parse(text('package.json')) as Manifest, files, license, root);
for (const problem of problems) console.error(problem);
console.log(`${files.size} files, ${pack.size} bytes packed`);
process.exitCode = problems.length > 0 ? 1 : 0;
