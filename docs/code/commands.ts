import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Block } from './blocks.ts';

/**
 * Commands a page tells people to run that this repository does not have: scripts that are not in `package.json` and files
 * that are not there.
 *
 * @param scripts names of the root's scripts
 * @returns what is wrong, as `page:line: message`
 */
export function missingCommands(block: Block, scripts: readonly string[], root: string): string[] {
  if (!/^(sh|bash|shell)$/.test(block.language)) return [];
  return block.text.split('\n').flatMap((line, index) => {
    const at = `${block.page}:${block.line + index}`;
    const [, script] =
      /\bnpm run ([\w:-]+)/.exec(line) ?? /\bpnpm@[\d.]+ (?:run )?(?!install\b|add\b|-)([\w:-]+)/.exec(line) ?? [];
    const [, file] = /\b(?:node|tsx) (?!-)([\w./-]+\.(?:mjs|js|ts))\b/.exec(line) ?? [];
    return [
      ...(script && !scripts.includes(script) ? [`${at}: package.json has no script "${script}"`] : []),
      ...(file && !existsSync(resolve(root, file)) ? [`${at}: there is no file ${file}`] : []),
    ];
  });
}
