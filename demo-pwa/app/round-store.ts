import type { OutboxSnapshot } from 'holdfast';
import type { Outbox } from 'holdfast/page';
import { writeSubject } from '../subject';
import type { Session, User } from '../wire';
import { foldRound, type NoteView } from './round';
import { nothingRead, readRound, readSession, type ServerView } from './server';
import { sessionLine } from './session-line';
import { siteViews, type SiteView } from './site-views';
import { writeReader } from './writes';

/** Everything the app shows. */
export interface RoundState {
  readonly user: User | null;
  readonly users: readonly User[];
  /** Whether it is known who is signed in, if anybody. */
  readonly sessionKnown: boolean;
  readonly sites: readonly SiteView[];
  readonly notes: readonly NoteView[];
  readonly server: ServerView;
  readonly outbox: OutboxSnapshot;
}

export interface Round {
  state(): RoundState;
  subscribe(listener: () => void): () => void;
  /** Reads the API again. One reading at a time; a call during one makes one more after it. */
  refresh(): Promise<void>;
  /** After signing in or out. */
  setSession(session: Session): Promise<void>;
}

/** How often the round is read while somebody looks at it, ms; more often while the API does not answer. */
const everyMs = 30_000;
const whenUnreachedMs = 5_000;

/** Keeps the round up to date: what the API says, with what waits in the outbox laid over it. */
export function createRound(outbox: Outbox): Round {
  const listeners = new Set<() => void>();
  const readWrites = writeReader(outbox);
  let server = nothingRead;
  let session: Session | null = null;
  let writes: Awaited<ReturnType<typeof readWrites>> = [];
  let state = compute();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reading: Promise<void> | null = null;
  const who = sessionLine(adopt);
  let again = false;

  function compute(): RoundState {
    const notes = foldRound(server.notes, writes, server.fetchedAt);
    return {
      user: session?.user ?? null,
      users: session?.users ?? [],
      sessionKnown: session !== null,
      sites: siteViews(server.sites, notes),
      notes,
      server,
      outbox: outbox.getSnapshot(),
    };
  }

  function publish(): void {
    state = compute();
    for (const listener of listeners) listener();
  }

  async function read(): Promise<void> {
    do {
      again = false;
      if (!session || server.refused) await who.learn(readSession);
      server = await readRound(server);
      publish();
    } while (again);
  }

  function refresh(): Promise<void> {
    again = reading !== null;
    reading ??= read().finally(() => {
      reading = null;
      clearTimeout(timer);
      timer = setTimeout(() => void tick(), server.source === 'live' ? everyMs : whenUnreachedMs);
    });
    return reading;
  }

  function tick(): Promise<void> {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') return refresh();
    timer = setTimeout(() => void tick(), everyMs);
    return Promise.resolve();
  }

  async function adopt(found: Session): Promise<void> {
    const same = session?.user?.id === found.user?.id;
    const first = session === null;
    session = found;
    if (same && !first) return;
    const subject = found.user?.id ?? null;
    await writeSubject(subject);
    await outbox.setSubject(subject);
  }

  // Of several looks at the outbox that overlap, the last one started is the truth.
  let look = 0;
  async function lookAtOutbox(snapshot: OutboxSnapshot): Promise<void> {
    const mine = (look += 1);
    const found = await readWrites(snapshot);
    if (mine !== look) return;
    writes = found;
    publish();
  }

  outbox.subscribe((snapshot) => void lookAtOutbox(snapshot));
  outbox.on((event) => {
    // Only when a lane is empty: before that, the server's answer lacks what still waits.
    if (event.type === 'drained' || event.type === 'delivered') void refresh();
    // The first sign that the API is gone may be a write that did not get through.
    if (event.type === 'changed' && event.entry.lastFailure && server.source === 'live') void refresh();
  });
  // The first answers came before the worker was there to keep them.
  navigator.serviceWorker?.addEventListener('controllerchange', () => void refresh());
  addEventListener('online', () => void refresh());
  document.addEventListener('visibilitychange', () => void tick());
  void refresh();

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh,
    async setSession(next) {
      await who.say(next);
      server = nothingRead;
      publish();
      if (next.user) await outbox.signedIn();
      await refresh();
    },
  };
}
