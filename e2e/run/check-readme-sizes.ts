import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type SizeLimit, sizeProblems } from './readme-sizes.ts';

const root = resolve(import.meta.dirname, '../..');
const readme = join(root, 'README.md');
const limits = ['holdfast', 'holdfast-server'].flatMap((name) => {
  const manifest = readFileSync(join(root, 'packages', name, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { 'size-limit'?: SizeLimit[] })['size-limit'] ?? [];
});

const problems = existsSync(readme) ? sizeProblems(readFileSync(readme, 'utf8'), limits) : [];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
