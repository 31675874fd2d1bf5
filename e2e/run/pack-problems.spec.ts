import { describe, expect, it } from 'vitest';
import { type Manifest, packProblems } from './pack-problems.ts';

const manifest: Manifest = {
  name: 'boat',
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' },
  dependencies: { idb: '8' },
  publishConfig: { access: 'public', provenance: true },
};
const whole = {
  'package.json': '{}',
  'README.md': '',
  LICENSE: 'free',
  'CHANGELOG.md': '',
  'dist/index.js': 'import { a } from "./a.js";\nimport { openDB } from "idb";\nconst b = () => import("./a.js");\n',
  'dist/index.d.ts': 'import { A } from "./a.js";\nimport "node:fs";\n',
  'dist/a.js': '',
  'dist/a.d.ts': '',
};
const check = (changes: Readonly<Record<string, string | null>>, more: Partial<Manifest> = {}): string[] => {
  const files = Object.entries({ ...whole, ...changes }).filter((file): file is [string, string] => file[1] !== null);
  return packProblems({ ...manifest, ...more }, new Map(files), 'free', '/home/me/boat');
};

describe('packProblems', () => {
  it('has nothing to say about a whole package', () => {
    expect(check({})).toEqual([]);
  });

  it('finds what is missing: files for people, targets of doors, imported files', () => {
    expect(check({ 'README.md': null, 'dist/index.d.ts': null, 'dist/a.js': null, 'dist/a.d.ts': null })).toEqual([
      'README.md is missing',
      'dist/index.d.ts is missing',
      'dist/index.js imports ./a.js, which is not in it',
    ]);
  });

  it('finds what should not be there: tests, sources, paths of this machine, maps to nothing', () => {
    const map = '//# sourceMappingURL=a.js.map\n';
    const found = check({ 'dist/a.test.js': '', 'src/a.ts': '', 'dist/a.js': `${map}// /home/me/boat/src/a.ts` });
    expect(found).toEqual([
      'dist/a.test.js should not be in it',
      'src/a.ts should not be in it',
      'dist/a.js tells where it was built',
      'dist/a.js names a.js.map, which is not in it',
    ]);
  });

  it('finds an import that nobody installs, another licence, and a package that cannot show where it comes from', () => {
    const found = check({ LICENSE: 'mine', 'dist/a.js': 'export { x } from "nowhere/x";' }, { publishConfig: {} });
    expect(found).toEqual([
      'LICENSE is not that of the repository',
      'publishConfig lacks provenance or access',
      'dist/a.js imports nowhere/x, which nobody installs',
    ]);
  });

  it('knows the names of its own, and looks for what they stand for', () => {
    const files = { 'dist/a.js': 'import { hints } from "#hints";', 'dist/hints.js': '' };
    expect(check(files, { imports: { '#hints': { default: './dist/hints.js' } } })).toEqual([]);
    expect(
      check(files, { imports: { '#hints': { development: './dist/talk.js', default: './dist/hints.js' } } }),
    ).toEqual(['dist/talk.js is missing']);
    expect(check(files)).toEqual(['dist/a.js imports #hints, which nobody installs']);
  });
});
