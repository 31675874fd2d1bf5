import { readMessage } from '../core/messages';
import type { OutboxSnapshot, OutboxStatus } from '../core/snapshot';
import { emptySnapshot } from '../core/snapshot';
import type { Context } from '../flow/context';
import { look } from '../flow/look';

/** Keeps one snapshot of the store up to date in this page. */
export interface Feed {
  getSnapshot(): OutboxSnapshot;
  subscribe(listener: (snapshot: OutboxSnapshot) => void): () => void;
  /** Ids of entries that changed, whoever changed them. */
  onChange(listener: (ids: readonly string[]) => void): () => void;
  /** Somebody said that something changed: looks again soon (many changes, one look). */
  changed(revision: number, ids: readonly string[]): void;
  /** Looks now, whatever was said or missed. Resolves with what it saw. */
  refresh(): Promise<OutboxSnapshot>;
  close(): void;
}

/**
 * At most one look per this time, ms: the shorter rest for news that come alone, up to the longer while they stream, and the
 * hidden one where nobody sees it.
 */
const restMs = { first: 100, longest: 400, hidden: 5_000 } as const;

/** Many tabs that look into one store hold up each other and who sends, so a look is followed by so many times its own length... */
const restShare = 9;
/** ...up to this, ms: a person is watching. */
const shareMaxMs = 2_000;

export interface FeedOptions {
  /** Nobody sees the page: it looks seldom. @default never */
  readonly hidden?: () => boolean;
}

export function createFeed(context: Context, status: () => OutboxStatus, options: FeedOptions = {}): Feed {
  const { hidden = () => false } = options;
  const listeners = new Set<(snapshot: OutboxSnapshot) => void>();
  const watchers = new Set<(ids: readonly string[]) => void>();
  let snapshot = emptySnapshot(status());
  let looking: Promise<OutboxSnapshot> | undefined;
  let again = false;
  let wanted = false;
  let cancelRest: (() => void) | undefined;
  let nextRestMs: number = restMs.first;
  let lookTookMs = 0;
  /** The present rest is that of a page nobody sees. */
  let restsHidden = false;

  function restNowMs(): number {
    if (hidden()) return restMs.hidden;
    return Math.max(nextRestMs, Math.min(lookTookMs * restShare, shareMaxMs));
  }

  async function lookNow(): Promise<OutboxSnapshot> {
    const startedAt = context.system.now();
    try {
      do {
        again = false;
        publish(await look(context, status()));
      } while (again);
    } catch {
      // The store cannot be read now; the last look stands, and the status says so.
      publish({ ...snapshot, status: status() });
    }
    looking = undefined;
    lookTookMs = Math.max(0, context.system.now() - startedAt);
    return snapshot;
  }

  function publish(next: OutboxSnapshot): void {
    if (isAlike(snapshot, next)) return;
    snapshot = Object.freeze(next);
    for (const listener of [...listeners]) listener(snapshot);
  }

  function refresh(): Promise<OutboxSnapshot> {
    if (looking) again = true;
    looking ??= lookNow();
    return looking;
  }

  function soon(): void {
    if (cancelRest && !(restsHidden && !hidden())) {
      wanted = true;
      return;
    }
    cancelRest?.();
    wanted = false;
    const look = refresh();
    const rested = (): void => {
      cancelRest = undefined;
      nextRestMs = wanted ? Math.min(nextRestMs * 2, restMs.longest) : restMs.first;
      if (wanted) soon();
    };
    let over = false;
    cancelRest = () => (over = true);
    void look.then(() => {
      if (over) return;
      restsHidden = hidden();
      cancelRest = context.system.timer(restNowMs(), rested);
    });
  }

  const feed: Feed = {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      listener(snapshot);
      return () => void listeners.delete(listener);
    },
    onChange(watcher) {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    changed(_revision, ids) {
      for (const watcher of [...watchers]) watcher(ids);
      soon();
    },
    refresh,
    close() {
      cancelRest?.();
      stopListening();
      listeners.clear();
      watchers.clear();
    },
  };
  const stopListening = context.channel.subscribe((data) => {
    const message = readMessage(data, context.config.name);
    if (message?.type === 'changed') feed.changed(message.revision, message.ids);
  });
  return feed;
}

/** Every change of the queue has a revision of its own; without one, time alone may have changed why an entry waits. */
function isAlike(one: OutboxSnapshot, other: OutboxSnapshot): boolean {
  if (one.revision !== other.revision || one.ready !== other.ready) return false;
  return JSON.stringify({ ...one, at: 0 }) === JSON.stringify({ ...other, at: 0 });
}
