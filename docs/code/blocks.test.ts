import { describe, expect, it } from 'vitest';
import { blocksOf, givenIn } from './blocks.ts';

const page = [
  '# A page',
  '',
  '```ts',
  'one();',
  '```',
  '',
  '- in a list',
  '',
  '  ```ts server',
  '  two();',
  '  ```',
].join('\n');

describe('blocksOf', () => {
  it('finds each block with the line it begins on and what its fence says', () => {
    expect(blocksOf('a.md', page)).toEqual([
      { page: 'a.md', line: 4, language: 'ts', mark: '', text: 'one();\n' },
      { page: 'a.md', line: 10, language: 'ts', mark: 'server', text: 'two();\n' },
    ]);
  });

  it('does not end a block at a shorter fence, and reports one that is never closed', () => {
    expect(blocksOf('a.md', '````md\n```ts\n```\n````')).toHaveLength(1);
    expect(() => blocksOf('a.md', '```ts\none();')).toThrow('a.md: the fence before line 2 is never closed');
  });
});

it('reads what a page takes as given from its comments', () => {
  expect(givenIn('text\n\n<!-- given\ndeclare const a: 1;\n-->\n<!-- another -->')).toBe('declare const a: 1;\n');
});
