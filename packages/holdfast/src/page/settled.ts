import { OutboxError } from '../core/errors';
import { laneKeyOf } from '../core/index-keys';
import { own } from '../core/own';
import type { Settlement } from '../core/snapshot';
import type { Context } from '../flow/context';
import { findMine } from '../flow/acts/find';
import type { Feed } from './feed';

/** How often to look without having heard anything, ms: a message can be missed. */
const lookEveryMs = 5_000;

/** Asks the store after every change until it has an answer. */
async function until<T>(context: Context, feed: Feed, ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const changed = nextChange(context, feed);
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
      await changed.promise;
    } finally {
      changed.stop();
    }
  }
}

/** Listening begins before the question is asked, so that nothing falls between. */
function nextChange(context: Context, feed: Feed): { promise: Promise<void>; stop: () => void } {
  let stop = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    const stopListening = feed.onChange(() => resolve());
    const cancel = context.system.timer(lookEveryMs, resolve);
    stop = () => {
      stopListening();
      cancel();
    };
  });
  return { promise, stop };
}

/**
 * How an entry ended: whoever sent it, also after a reload.
 * @throws OutboxError `not-found` when there is none (never made, or delivered and forgotten after `keep.deliveredMs`)
 */
export function settled(context: Context, feed: Feed, id: string): Promise<Settlement> {
  return until<Settlement>(context, feed, async () => {
    const subject = (await context.subject()) ?? '';
    const entry = await context.store.transact('read', (rows) => findMine(rows, id, subject));
    if (entry.state === 'delivered') return { state: 'delivered', id, answer: entry.answer ?? null };
    if (entry.state === 'dead' && entry.dead)
      return { state: 'dead', id, dead: entry.dead, answer: entry.answer ?? null };
    return undefined;
  });
}

/** Resolves when nothing waits: in one lane, or (undefined) in the whole outbox of this subject. */
export async function whenIdle(context: Context, feed: Feed, lane?: string | null): Promise<void> {
  if (lane === null)
    throw new OutboxError(
      'bad-option',
      'unordered entries have no lane to wait for; leave the lane out to wait for all',
    );
  await until(context, feed, async () => {
    const subject = (await context.subject()) ?? '';
    return context.store.transact('read', async (rows) => {
      if (lane !== undefined) return (await rows.laneTail(laneKeyOf(subject, lane))) === undefined ? true : undefined;
      const counts = own((await rows.control('book'))?.subjects, subject);
      return !counts || counts.pending + counts.sending === 0 ? true : undefined;
    });
  });
}
