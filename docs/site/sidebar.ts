import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { referencePages } from './doors.mjs';

const docs = resolve(import.meta.dirname, '..');

/** The order in which the guide is read. What a folder has besides comes after the pages that are named. */
const chapters: readonly { readonly text: string; readonly pages: readonly string[]; readonly rest?: string }[] = [
  { text: 'Start', pages: ['start', 'use/worker', 'use/page', 'use/panel', 'frameworks', 'browsers'] },
  {
    text: 'How it works',
    pages: ['concepts/life', 'concepts/who-sends', 'concepts/answers', 'concepts/retries'],
    rest: 'concepts',
  },
  {
    text: 'Recipes',
    pages: [
      'recipes/auth',
      'recipes/multi-user',
      'recipes/forms',
      'recipes/uploads',
      'recipes/dependent-requests',
      'recipes/conflicts',
      'recipes/server-setup',
      'recipes/monitoring',
      'recipes/tracker',
      'moving-from-workbox',
    ],
    rest: 'recipes',
  },
  { text: 'The server', pages: ['server', 'wire'] },
  { text: 'What to expect', pages: ['guarantees', 'security', 'simulation', 'chaos', 'benchmarks', 'peers'] },
  { text: 'Decisions', pages: [], rest: 'decisions' },
];

/** What stands beside every page. @throws when a page is written that no chapter has, so that none is out of reach */
export function sidebar(): DefaultTheme.SidebarItem[] {
  const written = pagesIn('');
  const shown = chapters.map(({ text, pages, rest }) => ({
    text,
    pages: [...new Set([...pages, ...(rest ? pagesIn(rest) : [])])].filter((page) => written.includes(page)),
  }));
  const reachable = new Set(shown.flatMap(({ pages }) => pages));
  const lost = written.filter((page) => page !== 'index' && !reachable.has(page));
  if (lost.length > 0) throw new Error(`no chapter of docs/site/sidebar.ts has ${lost.join(', ')}`);

  return [
    ...shown.map(({ text, pages }) => ({
      text,
      collapsed: text === 'Decisions',
      items: pages.map((page) => ({ text: titleOf(page), link: `/${page}` })),
    })),
    {
      text: 'API reference',
      collapsed: true,
      items: referencePages(docs).map(({ name, page }) => ({
        text: name,
        link: `/reference/${page.replace(/\.md$/, '')}`,
      })),
    },
  ];
}

/** The pages of a folder and those below it, by their path from `docs` without `.md`. */
function pagesIn(folder: string): string[] {
  const inside = readdirSync(join(docs, folder), { withFileTypes: true });
  return inside.flatMap((one) => {
    const path = folder ? `${folder}/${one.name}` : one.name;
    if (one.isDirectory()) return /^(node_modules|reference|\.)/.test(one.name) ? [] : pagesIn(path);
    return one.name.endsWith('.md') ? [path.slice(0, -3)] : [];
  });
}

function titleOf(page: string): string {
  const file = join(docs, `${page}.md`);
  const title = existsSync(file) ? /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  if (!title) throw new Error(`docs/${page}.md has no title`);
  return title.replace(/`/g, '');
}
