import { describe, expect, it } from 'vitest';
import { blocksOf } from './blocks.ts';
import { filesOf } from './programs.ts';

const files = (...lines: string[]) => filesOf(blocksOf('docs/a.md', lines.join('\n')));

describe('filesOf', () => {
  it('puts a block where it runs: by its fence, by its imports, otherwise where the one before it is', () => {
    const found = files(
      ...['```ts', "import { installOutbox } from 'holdfast/sw';", '```'],
      ...['```ts', 'self;', '```'],
      ...['```ts', "import { idempotent } from 'holdfast-server';", '```'],
      ...['```ts page', 'document;', '```', '```css', 'a {}', '```'],
    );
    expect(found.map(({ place }) => place)).toEqual(['worker', 'worker', 'server', 'page']);
  });

  it('names a block by its first line, so that others of the page can import it', () => {
    expect(files('```ts', '// outbox.ts: shared', '```', '```ts', 'f();', '```').map(({ path }) => path)).toEqual([
      'docs/a/outbox.ts',
      'docs/a/block-2.ts',
    ]);
  });
});
