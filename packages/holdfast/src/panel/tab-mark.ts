import type { Counts } from '../core/control';
import type { Outbox } from '../page/client';
import { drawnIcon } from './drawn-icon';

export type Mark = 'waiting' | 'attention';

export interface TabMarkOptions {
  /**
   * What goes before the title; `''` for nothing.
   * @default `! ` while something needs attention, `(4) ` while four wait
   */
  readonly prefix?: (counts: Counts) => string;
  /**
   * Addresses of icons to show instead of the page's own; or `drawn`: a dot on the page's own icon, which takes a
   * `data:` address and so an `img-src data:` in a content security policy.
   * @default null: the icon stays
   */
  readonly icons?: Readonly<Record<Mark, string>> | 'drawn' | null;
}

/**
 * Marks the tab while something waits or needs attention: in its title and, when asked, its icon. A title the app sets
 * meanwhile is kept and marked as well.
 *
 * @returns stops marking and puts the title and the icon back
 */
export function tabMark(outbox: Outbox, { prefix = defaultPrefix, icons = null }: TabMarkOptions = {}): () => void {
  let mark = '';
  let drawn = 0;
  const setTitle = (next: string): void => {
    const bare = mark && document.title.startsWith(mark) ? document.title.slice(mark.length) : document.title;
    mark = next;
    // `document.title` collapses and trims white space: a prefix's own space only counts before something.
    if (document.title !== next + bare) document.title = next + bare;
  };
  const restore = icons ? rememberIcons() : undefined;
  const setIcon = async (shown: Mark | null): Promise<void> => {
    drawn += 1;
    const mine = drawn;
    if (!icons || !restore) return;
    if (!shown) return restore();
    const href = icons === 'drawn' ? await drawnIcon(shown).catch(() => null) : icons[shown];
    if (href && mine === drawn) showIcon(href);
  };
  let icon: Mark | null = null;
  const stop = outbox.subscribe(({ counts }) => {
    setTitle(prefix(counts));
    const next = counts.open > 0 ? 'attention' : counts.pending + counts.sending > 0 ? 'waiting' : null;
    if (next === icon) return;
    icon = next;
    void setIcon(next);
  });
  const watcher = new MutationObserver(() => setTitle(mark));
  watcher.observe(document.head, { childList: true, characterData: true, subtree: true });
  return () => {
    stop();
    watcher.disconnect();
    setTitle('');
    void setIcon(null);
  };
}

function defaultPrefix({ open, pending, sending }: Counts): string {
  const waiting = pending + sending;
  return open > 0 ? '! ' : waiting > 0 ? `(${waiting}) ` : '';
}

const iconLinks = 'link[rel~="icon"]';

/** Takes note of the page's icons and gives back a way to put them back. */
function rememberIcons(): () => void {
  const own = [...document.querySelectorAll<HTMLLinkElement>(iconLinks)];
  return () => {
    for (const link of document.querySelectorAll(iconLinks)) link.remove();
    document.head.append(...own);
  };
}

/** Browsers look at the last icon; a changed `href` is not noticed by all, a new element is. */
function showIcon(href: string): void {
  for (const link of document.querySelectorAll(iconLinks)) link.remove();
  const link = document.createElement('link');
  link.rel = 'icon';
  link.href = href;
  document.head.append(link);
}
