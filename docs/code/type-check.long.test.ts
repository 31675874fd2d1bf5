import { expect, it } from 'vitest';
import { blocksOf } from './blocks.ts';
import { filesOf } from './programs.ts';
import { typeCheck } from './type-check.ts';

const files = (...lines: string[]) => filesOf(blocksOf('docs/a.md', lines.join('\n')));
const given = new Map([['docs/a.md', 'declare const given:\n  number;']]);

// One program for all of it: the compiler reads its libraries anew for each.
it('finds what is wrong and says in which line of the page, and knows globals, givens and other blocks', () => {
  const shared = ['```ts server', '// shared.ts', 'export const port = 3000;', '```'];
  const right = ['```ts', "import { port } from './shared';", 'process.exitCode = port + given;', '```'];
  const wrong = ['```ts', 'const a: string = given;', 'b();', '```'];
  expect(typeCheck('server', files(...shared, ...right, ...wrong), given)).toEqual([
    "docs/a.md:10: Type 'number' is not assignable to type 'string'.",
    "docs/a.md:11: Cannot find name 'b'.",
  ]);
});
