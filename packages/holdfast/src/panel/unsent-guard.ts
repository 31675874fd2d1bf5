import type { OutboxSnapshot } from '../core/snapshot';
import type { Outbox } from '../page/client';

export interface UnsentGuardOptions {
  /**
   * `lost`: asks only where leaving loses something, which is while requests are held in memory. `unsent`: asks while
   * anything is unsent, though it is kept and sent when the app is next open; for apps whose people must not leave early.
   * @default 'lost'
   */
  readonly when?: 'lost' | 'unsent';
}

/**
 * Lets the browser ask before the page is left with unsent work. The listener is there only while it is needed: one that
 * stays keeps the page out of the back/forward cache in Firefox. The browser's own words are shown, nobody can change them.
 *
 * @returns stops guarding
 * @see HTML, 7.4.2.4 "Unloading documents"
 */
export function unsentGuard(outbox: Outbox, { when = 'lost' }: UnsentGuardOptions = {}): () => void {
  const ask = (event: BeforeUnloadEvent): void => {
    event.preventDefault();
    // Older Chromium asks only when this is set, too.
    event.returnValue = true;
  };
  const stop = outbox.subscribe((snapshot) => {
    if (needed(snapshot, when)) addEventListener('beforeunload', ask);
    else removeEventListener('beforeunload', ask);
  });
  return () => {
    stop();
    removeEventListener('beforeunload', ask);
  };
}

function needed({ counts, status }: OutboxSnapshot, when: 'lost' | 'unsent'): boolean {
  const unsent = counts.pending + counts.sending;
  if (when === 'unsent') return unsent > 0;
  // In memory even a dead letter is lost with the page.
  return status.durability === 'memory' && unsent + counts.open > 0;
}
