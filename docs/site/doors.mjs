import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const packages = resolve(import.meta.dirname, '../../packages');

/**
 * The doors of a package that have names of their own to document: what `exports` lists, without files for other tools and
 * modules that are imported only for their effect.
 *
 * @returns `name` as it is imported (`holdfast/sw`), `source`: the file it is written in
 */
export function doorsOf(packageName) {
  const folder = join(packages, packageName);
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.keys(exports)
    .filter((path) => !/\.(json|mjs|js)$/.test(path) && !path.endsWith('/define'))
    .map((path) => {
      const name = path.replace(/^\.\/?/, '');
      return { name: name ? `${packageName}/${name}` : packageName, source: sourceOf(folder, name) };
    });
}

function sourceOf(folder, name) {
  const places = name ? [`${name}/index.ts`, `${name}/index.tsx`, `${name}.ts`] : ['core/index.ts', 'index.ts'];
  const found = places.map((place) => join(folder, 'src', place)).find((file) => existsSync(file));
  if (!found) throw new Error(`no source for the door "${name}" of ${folder}; looked for ${places.join(', ')}`);
  return found;
}

/**
 * Where the reference of each door was written, from `docs/reference`. Typedoc counts up where two names are alike.
 *
 * @returns {{ name: string, page: string }[]}
 */
export function referencePages(docs) {
  return ['holdfast', 'holdfast-server'].flatMap(doorsOf).map(({ name }) => {
    const page = [`${name}.md`, `${name}-1.md`].find((file) => existsSync(join(docs, 'reference', file)));
    if (!page) throw new Error(`the reference has no page for ${name}`);
    return { name, page };
  });
}
