import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Keeps the sizes that the README quotes equal to the limits that are checked: every `size-limit` entry has a row in a
 * table of the README, with the door's name in backticks and the limit as it stands in package.json.
 */
const root = resolve(import.meta.dirname, '../..');
const readme = join(root, 'README.md');
const rows = existsSync(readme)
  ? readFileSync(readme, 'utf8')
      .split('\n')
      .filter((line) => line.trimStart().startsWith('|'))
  : undefined;

const problems = ['packages/holdfast', 'packages/holdfast-server'].flatMap((folder) => {
  const limits = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))['size-limit'] ?? [];
  return limits.flatMap(({ name, limit }) => {
    const row = rows?.filter((line) => line.includes(`\`${name}\``) && /\d\s?k?B\b/.test(line));
    if (!row) return [];
    if (row.length === 0) return [`README.md has no table row with the size of \`${name}\`; it should say ${limit}`];
    return row.some((line) => line.includes(limit)) ? [] : [`README.md should say ${limit} for \`${name}\`: ${row[0]}`];
  });
});

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
