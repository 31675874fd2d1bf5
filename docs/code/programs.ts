import type { Block } from './blocks.ts';
import { isQuote } from './quotes.ts';

/** Where a block runs, which is what decides its globals. */
export type Place = 'page' | 'worker' | 'server';

/** A block as a file of a program; blocks of one page lie side by side, so `./outbox` is the block that calls itself `outbox.ts`. */
export interface CodeFile {
  readonly place: Place;
  /** Path below the folder all pages share. */
  readonly path: string;
  readonly block: Block;
}

const places: readonly Place[] = ['page', 'worker', 'server'];

const tells: readonly (readonly [Place, RegExp])[] = [
  ['server', /from '(holdfast-server(\/[\w-]+)?|node:\w+|pg|ioredis|hono|express|fastify|libsql)'/],
  ['worker', /from '(holdfast\/(sw|workbox)|workbox-[\w-]+|serwist)'/],
  ['page', /(from|import) '(holdfast\/(page|panel|react|vue|svelte|solid)(\/[\w-]+)?)'|^\/\/ outbox\.ts/],
];

/**
 * Gives every TypeScript block a file. A block is named by a first line such as `// outbox.ts`, and belongs where its
 * fence says (` ```ts page `) or its imports; one that imports nothing of note belongs where the block before it does.
 */
export function filesOf(blocks: readonly Block[]): CodeFile[] {
  const folder = blocks[0]?.page.replace(/\.md$/, '').replace(/[^\w/]/g, '-') ?? '';
  let before: Place = 'page';
  return blocks
    .filter((block) => /^tsx?$/.test(block.language) && !isQuote(block))
    .map((block, index) => {
      const named = /^\/\/ ([\w./-]+)\.tsx?\b/.exec(block.text)?.[1]?.replace(/^.*\//, '');
      const place =
        places.find((one) => one === block.mark) ?? tells.find(([, tell]) => tell.test(block.text))?.[0] ?? before;
      before = place;
      return { place, path: `${folder}/${named ?? `block-${index + 1}`}.${block.language}`, block };
    });
}
