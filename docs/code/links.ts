import { existsSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';

/** A heading's anchor, as GitHub and the site make it. */
export function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** Pages without their blocks of code, in which a `#` is no heading and a bracket no link. */
function prose(markdown: string): string {
  return markdown.replace(/^([ \t]*)(`{3,}|~{3,})[\s\S]*?^\1\2$/gm, (code) => code.replace(/[^\n]/g, ''));
}

/**
 * Links of a page that lead nowhere in this repository: to a file or picture that is not there, or to a heading its target
 * does not have. Addresses of other places are not looked at.
 *
 * @param pages all pages by their path from the root
 * @returns     what is wrong, as `page:line: message`
 */
export function deadLinks(page: string, pages: ReadonlyMap<string, string>, root: string): string[] {
  const lines = prose(pages.get(page) ?? '').split('\n');
  return lines.flatMap((line, index) =>
    [...line.matchAll(/\]\(<?([^)\s>]+)/g)].flatMap(([, link = '']) => {
      if (/^([a-z]+:|\/)/i.test(link)) return [];
      const [path = '', anchor] = link.split('#');
      const target = path ? normalize(join(dirname(page), path)) : page;
      const at = `${page}:${index + 1}`;
      // The reference is written by the site's own build, which fails on a page that is not there.
      if (target.startsWith('docs/reference/')) return [];
      if (!existsSync(resolve(root, target))) return [`${at}: there is no ${target}`];
      const text = pages.get(target);
      if (anchor === undefined || text === undefined) return [];
      const headings = [...prose(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
      return headings.includes(anchor) ? [] : [`${at}: ${target} has no heading #${anchor}`];
    }),
  );
}
