import { dueNow, isSaneDueAt } from '../core/clock';
import type { Entry } from '../core/entry';
import { bucketParts } from '../core/index-keys';
import type { Context } from './context';
import type { Ledger } from './ledger';

/** How many of a bucket are looked at from either end. */
const windowSize = 32;

/** Whatever is due later than this can only be what the app asked for, a pause, or a clock that was turned back; ms. */
const farMs = 86_400_000;

/**
 * A due time further away than the wait that was set is a clock that was turned back: due now. Looked at are those of a
 * bucket who are due next and those that are far away, since a paused lane's head may always be the soonest.
 * @returns those that are due now
 */
export async function mendClock(ledger: Ledger, context: Context, bucket: string, now: number): Promise<Entry[]> {
  const { backoff } = context.config.routeNamed(bucketParts(bucket).route).retry;
  const soonest = await ledger.rows.ready(bucket, Number.MAX_VALUE, windowSize, [now, Infinity]);
  const far =
    soonest.length < windowSize ? [] : await ledger.rows.ready(bucket, Number.MAX_VALUE, windowSize, [now + farMs, 0]);
  const known = new Set(soonest.map(({ seq }) => seq));
  const due: Entry[] = [];
  for (const entry of [...soonest, ...far.filter(({ seq }) => !known.has(seq))]) {
    if (entry.state !== 'pending' || entry.dueAt === entry.parkedUntil || isSaneDueAt(entry, now, backoff)) continue;
    // What the app asked for is taken at its word, however far away: only waits of ours can be known to be too long.
    const mended = await ledger.update(entry, { dueAt: Math.max(dueNow(entry, now), entry.notBefore ?? 0) });
    if (mended.dueAt <= now) due.push(mended);
  }
  return due;
}
