import type { Outbox } from 'holdfast/page';

/** Marks the tab's title and, where the app is installed, its icon with how many requests are not confirmed yet. */
export function markUnsent(outbox: Outbox): () => void {
  const title = document.title;
  let shown = 0;
  return outbox.subscribe(({ counts }) => {
    const unsent = counts.pending + counts.sending + counts.open;
    if (unsent === shown) return;
    shown = unsent;
    document.title = unsent > 0 ? `(${unsent}) ${title}` : title;
    // Only a hint, and refused where the app is not installed.
    if ('setAppBadge' in navigator) navigator.setAppBadge(unsent).catch(() => undefined);
  });
}
