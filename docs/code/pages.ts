import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** All that is written for people, by its path from the root: the site, the pages beside the sources, the packages' own. */
export function pages(): ReadonlyMap<string, string> {
  const own = ['', 'packages/holdfast', 'packages/holdfast-server'].flatMap((folder) => markdownIn(join(root, folder)));
  const site = readdirSync(join(root, 'docs'), { withFileTypes: true }).flatMap((one) => {
    const path = join(root, 'docs', one.name);
    if (one.isDirectory()) return /^(node_modules|reference|\.)/.test(one.name) ? [] : markdownIn(path);
    return path.endsWith('.md') ? [path] : [];
  });
  return new Map([...own, ...site].map((file) => [relative(root, file), readFileSync(file, 'utf8')]));
}

function markdownIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}
