import { readMessage } from '../../core/messages';
import type { OutboxStatus } from '../../core/snapshot';
import type { Context } from '../../flow/context';
import type { Drain } from '../../flow/drain';
import { look } from '../../flow/look';

const status: OutboxStatus = {
  durability: 'durable',
  persisted: 'unknown',
  sender: 'page',
  protected: true,
  backgroundSync: false,
  limits: [],
};

/** Never sleep shorter or longer than this between two wake-ups, ms; as in `page/wake-ups.ts`. */
const shortestMs = 1_000;
const longestMs = 60_000;
const idleMs = 300_000;

/** What a page does besides: it hears that others changed something, looks, and wakes the drain when that is due. */
export interface PageClock {
  /** Whether it waits for a known moment (and does not only look now and then). */
  armed(): boolean;
}

export function keepClock(context: Context, drain: Drain): PageClock {
  let cancel = (): void => undefined;
  let armed = false;
  let looking = false;
  let patienceMs = shortestMs;

  function arm(dueAt: number | null): void {
    cancel();
    armed = dueAt !== null;
    if (dueAt === null) {
      cancel = context.system.timer(idleMs, () => void refresh());
      return;
    }
    const delayMs = Math.min(Math.max(dueAt - context.system.now(), patienceMs), longestMs);
    cancel = context.system.timer(delayMs, () => {
      patienceMs = Math.min(patienceMs * 2, longestMs);
      void drain.wake('timer').then(refresh);
    });
  }

  async function refresh(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      // Many messages of one moment are one look.
      await Promise.resolve();
      arm((await look(context, status)).nextAttemptAt);
    } catch {
      arm(context.system.now() + longestMs);
    } finally {
      looking = false;
    }
  }

  context.channel.subscribe((data) => {
    if (readMessage(data, context.config.name)?.type !== 'changed') return;
    patienceMs = shortestMs;
    void refresh();
  });
  arm(null);
  return { armed: () => armed };
}
