import type { OutboxSnapshot } from '../core/snapshot';
import type { Context } from '../flow/context';
import type { Feed } from './feed';
import type { WhoSends } from './who-sends';

/** Never sleep shorter than this between two wake-ups by timer, ms; doubled while they change nothing. */
const shortestMs = 1_000;

/** A page that nobody sees knows late that others are at work; twenty of them must not keep asking, ms. */
const hiddenMs = 10_000;
const longestMs = 60_000;

/** How often a page with nothing to wait for looks all the same, ms: who stored something may have died before he said so. */
const idleMs = 300_000;

/** When something is due and nothing has changed for so long, the worker is asleep with its eyes open, ms. */
const standstillMs = 60_000;

/**
 * Wakes the sender when the next entry is due. A worker may say that it is awake and stand still all the same (an engine's
 * storage or locks can stop answering in one process alone): then this page sends too, and lock and leases keep it from doing
 * so beside one who is at work.
 * @param hidden nobody sees this page
 * @returns how to stop
 */
export function setAlarm(context: Context, feed: Feed, sends: WhoSends, hidden = (): boolean => false): () => void {
  const { system } = context;
  let cancel = (): void => undefined;
  let patienceMs = shortestMs;
  let lastDue: number | null = null;
  let still = { revision: -1, since: 0 };

  function standsStill({ revision, nextAttemptAt }: OutboxSnapshot): boolean {
    const now = system.now();
    const isDue = nextAttemptAt !== null && nextAttemptAt <= now;
    if (!isDue || revision !== still.revision || now < still.since) still = { revision, since: now };
    return now - still.since >= standstillMs;
  }

  function arm(snapshot: OutboxSnapshot): void {
    cancel();
    const { nextAttemptAt: dueAt } = snapshot;
    if (dueAt !== lastDue) patienceMs = shortestMs;
    lastDue = dueAt;
    standsStill(snapshot);
    if (dueAt === null) {
      cancel = system.timer(idleMs, () => void feed.refresh().then(arm));
      return;
    }
    const delayMs = Math.max(dueAt - system.now(), patienceMs, hidden() ? hiddenMs : 0);
    cancel = system.timer(Math.min(delayMs, longestMs), () => {
      patienceMs = Math.min(patienceMs * 2, longestMs);
      const woken = standsStill(feed.getSnapshot()) ? sends.wakeHere('timer') : sends.wake('timer');
      void woken.then(async () => arm(await feed.refresh()));
    });
  }

  const unsubscribe = feed.subscribe(arm);
  return () => {
    unsubscribe();
    cancel();
  };
}
