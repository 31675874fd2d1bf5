import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Block } from './blocks.ts';

/** Says in its fence which file it is from (` ```tsx e2e/doors/react/app.tsx `): that file is tested, so the block need not be. */
export const isQuote = ({ mark }: Block): boolean => mark.includes('/');

/** A line of its own that stands for what was left out. */
const gap = /^\s*(\/\/|<!--) …/;

/**
 * Where a quoted block is not what its file says. Pieces between gaps (`// …`) have to be there as they are, in this order;
 * indentation may differ.
 *
 * @returns what is wrong, as `page:line: message`
 */
export function misquotes(block: Block, root: string): string[] {
  if (!isQuote(block)) return [];
  const at = `${block.page}:${block.line}`;
  const path = resolve(root, block.mark);
  if (!existsSync(path)) return [`${at}: there is no file ${block.mark}`];
  const source = linesOf(readFileSync(path, 'utf8'));
  let from = 0;
  for (const piece of piecesOf(block.text)) {
    const found = source.findIndex((_, index) => index >= from && piece.every((line, n) => source[index + n] === line));
    if (found < 0) return [`${at}: ${block.mark} does not say: ${piece[0] ?? ''}`];
    from = found + piece.length;
  }
  return [];
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function piecesOf(text: string): string[][] {
  const pieces: string[][] = [[]];
  for (const line of linesOf(text)) {
    if (gap.test(line)) pieces.push([]);
    else pieces.at(-1)?.push(line);
  }
  return pieces.filter((piece) => piece.length > 0);
}
