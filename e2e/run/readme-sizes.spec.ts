import { describe, expect, it } from 'vitest';
import { sizeProblems } from './readme-sizes.ts';

const limits = [
  { name: 'holdfast', limit: '6 kB' },
  { name: 'holdfast/sw', limit: '9.5 kB' },
];
const table = (core: string, sw: string) => `# Holdfast\n| door | size |\n| --- | --- |\n${core}\n${sw}\n`;

describe('sizeProblems', () => {
  it('is content with a row for each door that quotes its limit', () => {
    expect(sizeProblems(table('| `holdfast` | 6 kB |', '| **`holdfast/sw`** | 9.5 kB gzipped |'), limits)).toEqual([]);
  });

  it('names a door with another size, also one that only ends alike', () => {
    expect(sizeProblems(table('| `holdfast` | 16 kB |', '| `holdfast/sw` | 9.5 kB |'), limits)).toEqual([
      'README.md should say 6 kB for `holdfast`: | `holdfast` | 16 kB |',
    ]);
  });

  it('names a door that has no row with a size', () => {
    expect(sizeProblems(table('| `holdfast` | 6 kB |', '`holdfast/sw` is 9.5 kB'), limits)).toEqual([
      'README.md has no table row with the size of `holdfast/sw`; it should say 9.5 kB',
    ]);
  });
});
