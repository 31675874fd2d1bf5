import type { EntryView, OutboxSnapshot } from '../core/snapshot';
import type { Outbox } from '../page/client';
import { createListeners, type Followed } from './followed';

/** One entry: `undefined` until looked up (or without an id), `null` when there is none (never made, or forgotten). */
export type EntrySeen = EntryView | null | undefined;

/**
 * One entry, wherever it stands: read from the snapshot where that shows it, from the store where it does not.
 * @param outbox null where there is none, such as on a server
 * @param id of an entry, or nothing yet
 */
export function followEntry(outbox: Outbox | null, id: string | null | undefined): Followed<EntrySeen> {
  const inWindow = (snapshot: OutboxSnapshot): EntryView | undefined =>
    snapshot.entries.find((entry) => entry.id === id);
  let seen: EntrySeen = outbox ? inWindow(outbox.getSnapshot()) : undefined;
  let looks = 0;

  const { subscribe, tell } = createListeners(() => {
    const stop = id == null ? undefined : outbox?.subscribe(look);
    return () => {
      // An answer that is still under way is of no interest any more.
      looks += 1;
      stop?.();
    };
  });

  function see(next: EntrySeen): void {
    if (JSON.stringify(next) === JSON.stringify(seen)) return;
    seen = next;
    tell();
  }

  function look(snapshot: OutboxSnapshot): void {
    looks += 1;
    const mine = looks;
    const shown = inWindow(snapshot);
    if (shown) return see(shown);
    if (!snapshot.ready || id == null) return;
    outbox?.get(id).then(
      (found) => void (mine === looks && see(found ?? null)),
      // The store cannot be read now; the last look stands, and the snapshot's status says so.
      () => undefined,
    );
  }

  return { subscribe, getSnapshot: () => seen, initial: undefined };
}
