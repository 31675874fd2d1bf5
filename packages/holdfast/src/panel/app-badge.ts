import type { Outbox } from '../page/client';

/**
 * Keeps the number of what waits or needs attention on the installed app's icon, where the browser can
 * (`navigator.setAppBadge`: Chromium on desktop, Safari for installed apps); elsewhere it does nothing.
 *
 * @returns stops and takes the number off
 * @see Badging API, section 2 "Setting the application badge"
 */
export function appBadge(outbox: Outbox): () => void {
  if (!('setAppBadge' in navigator)) return () => undefined;
  let shown: number | undefined;
  const show = (n: number): void => {
    if (n === shown) return;
    shown = n;
    // Rejects where the app is not installed or notifications were refused; there is nothing to show then.
    (n > 0 ? navigator.setAppBadge(n) : navigator.clearAppBadge()).catch(() => undefined);
  };
  const stop = outbox.subscribe(({ ready, counts }) => {
    if (ready) show(counts.pending + counts.sending + counts.open);
  });
  return () => {
    stop();
    show(0);
  };
}
