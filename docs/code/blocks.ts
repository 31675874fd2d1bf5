/** A fenced piece of code in a page. */
export interface Block {
  /** The page, as it was handed in. */
  readonly page: string;
  /** Line of its first line of code in the page, from 1. */
  readonly line: number;
  /** `ts`, `tsx`, `sh`, …; the first word after the fence. */
  readonly language: string;
  /** The word after that, if any. */
  readonly mark: string;
  readonly text: string;
}

/** What a page takes as given: declarations in comments that begin with `<!-- given`, which readers do not see. */
export function givenIn(markdown: string): string {
  return [...markdown.matchAll(/^<!-- given\n(.*?)-->$/gms)].map(([, text = '']) => text).join('\n');
}

/** All fenced blocks of a page, in order. A block in a list is taken with its indentation removed. */
export function blocksOf(page: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  let open:
    | { indent: string; fence: string; language: string; mark: string; line: number; lines: string[] }
    | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open) {
      if (line.trim() === open.fence) {
        const { line: from, language, mark } = open;
        blocks.push({ page, line: from, language, mark, text: `${open.lines.join('\n')}\n` });
        open = undefined;
      } else {
        open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line.trimStart());
      }
      continue;
    }
    const [, indent = '', fence, info = ''] = /^(\s*)(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    const [language = '', mark = ''] = info.trim().split(/\s+/);
    if (fence) open = { indent, fence, language, mark, line: index + 2, lines: [] };
  }
  if (open) throw new Error(`${page}: the fence before line ${open.line} is never closed`);
  return blocks;
}
