import { emptyBook } from '../core/control';
import type { Context } from './context';
import { leaseRuns } from './leases';
import { waiting } from './waiting';

/** How long nothing may have been claimed before a lock that is held all the time counts as a frozen tab's, ms. */
const frozenAfterMs = 60_000;

/** Tells a holder of the lock that is at work from one that was frozen with the lock in its hands. */
export interface FrozenHolder {
  /** The lock was somebody else's again. @returns whether it may be taken away */
  suspected(): Promise<boolean>;
  /** The lock was free, or is ours now. */
  cleared(): void;
}

/**
 * A frozen tab keeps its locks and never lets go. Whoever works under the lock claims entries, so the fencing token grows,
 * and what was claimed has a running lease; without either for a minute nobody is at work. Stealing from one who is would be
 * safe all the same (every settle compares tokens), only wasteful.
 */
export function createFrozenHolder(context: Context): FrozenHolder {
  let seen: { readonly token: number; readonly at: number } | undefined;
  return {
    async suspected() {
      const now = context.system.now();
      const book = await context.store.transact('read', (rows) => rows.control('book'));
      const token = book?.token ?? 0;
      // Whoever gives out tokens is at work; what it holds is only read while none is given out.
      if (seen?.token !== token || now < seen.at || (await isAtWork(context, now))) seen = { token, at: now };
      return now - seen.at >= frozenAfterMs;
    },
    cleared: () => void (seen = undefined),
  };
}

async function isAtWork(context: Context, now: number): Promise<boolean> {
  const subject = (await context.subject()) ?? '';
  const held = await context.store.transact('read', async (rows) =>
    waiting(rows, (await rows.control('book')) ?? emptyBook, subject, 'sending', 500),
  );
  return held.some((entry) => entry.lease?.live !== true && leaseRuns(context, entry, now));
}
