import { describe, expect, it } from 'vitest';
import { anchorOf, deadLinks } from './links.ts';

const root = import.meta.dirname;
const check = (text: string) =>
  deadLinks(
    'a.md',
    new Map([
      ['a.md', text],
      ['blocks.ts', '# Here it is'],
    ]),
    root,
  );

describe('deadLinks', () => {
  it('finds files and headings that are not there', () => {
    expect(check('[a](none.md)\n\n[b](blocks.ts#nowhere) [c](#me)\n')).toEqual([
      'a.md:1: there is no none.md',
      'a.md:3: blocks.ts has no heading #nowhere',
      'a.md:3: there is no a.md',
    ]);
  });

  it('lets what is there, what is elsewhere and what is code pass', () => {
    expect(check('[a](blocks.ts#here-it-is) [b](https://example.org/x)\n```md\n[c](none.md)\n```\n')).toEqual([]);
  });
});

it('makes anchors as GitHub does', () => {
  expect(anchorOf('Exactly one effect: `withIdempotency`')).toBe('exactly-one-effect-withidempotency');
});
