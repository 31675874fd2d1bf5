import { laneKeyOf } from '../core/index-keys';
import type { Entry } from '../core/entry';
import type { Context } from '../flow/context';
import { seen, sightOf } from '../flow/look';
import { openGates } from '../core/control';
import type { OutboxEvent } from './client';
import type { Feed } from './feed';

/** How many entries' last known states are remembered, to tell what is new about a change. */
const rememberMax = 2_000;

/**
 * Events for the app, read from the store and not from messages: whichever context did it, a page that hears of a change looks
 * what became of the entry.
 */
export function createEvents(
  context: Context,
  feed: Feed,
): { on(listener: (event: OutboxEvent) => void): () => void; emit(event: OutboxEvent): void } {
  const listeners = new Set<(event: OutboxEvent) => void>();
  const states = new Map<string, Entry['state']>();
  let waiting = 0;

  function emit(event: OutboxEvent): void {
    for (const listener of [...listeners]) {
      try {
        listener(event);
      } catch (error) {
        // The app's listener is broken; it hears of it as any uncaught error, and the others go on.
        reportError(error);
      }
    }
  }

  feed.onChange((ids) => {
    // A store that cannot be read now says nothing; the next look at it tells the truth.
    if (listeners.size > 0) tellAbout(ids).catch(() => undefined);
  });
  feed.subscribe((snapshot) => {
    const now = snapshot.counts.pending + snapshot.counts.sending;
    if (waiting > 0 && now === 0) emit({ type: 'drained', lane: null });
    waiting = now;
  });

  async function tellAbout(ids: readonly string[]): Promise<void> {
    const subject = await context.subject();
    const found = await context.store.transact('read', async (rows) => {
      const [gates = openGates, ...entries] = await Promise.all([
        rows.control('gates'),
        ...ids.map((id) => rows.byId(id)),
      ]);
      const mine = entries.filter((entry): entry is Entry => entry?.subject === (subject ?? ''));
      const emptied = new Set<string>();
      for (const { state, lane } of mine) {
        if (
          (state === 'delivered' || state === 'dead') &&
          lane !== null &&
          (await rows.laneTail(laneKeyOf(subject ?? '', lane))) === undefined
        )
          emptied.add(lane);
      }
      return { gates, mine, emptied };
    });
    for (const entry of found.mine) {
      const before = states.get(entry.id);
      states.delete(entry.id);
      states.set(entry.id, entry.state);
      if (states.size > rememberMax) states.delete(states.keys().next().value ?? '');
      const view = seen(entry, sightOf(context, found.gates, subject));
      const isNews = before !== entry.state;
      emit({
        type:
          isNews && entry.state === 'pending' && before === undefined && entry.tries <= 1
            ? 'queued'
            : isNews && (entry.state === 'delivered' || entry.state === 'dead')
              ? entry.state
              : 'changed',
        entry: view,
      });
    }
    for (const lane of found.emptied) emit({ type: 'drained', lane });
  }

  return {
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    emit,
  };
}
