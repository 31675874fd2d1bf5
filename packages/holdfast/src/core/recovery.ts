import type { Backoff } from './backoff';
import type { Entry } from './entry';

/**
 * What changes for a waiting entry when its origin has proved to be back: the failures were the origin's, so its budget is
 * whole again and it goes soon instead of at the end of a long backoff. Its history, and what the server asked for, stay.
 *
 * @param dice a number in [0, 1): entries of many clients spread over a first backoff
 * @returns    null when there is nothing to change
 */
export function afterRecovery(entry: Entry, backoff: Backoff, now: number, dice: number): Partial<Entry> | null {
  if (entry.state !== 'pending') return null;
  const soonest = Math.max(now + Math.floor(dice * backoff.baseMs), entry.askedUntil ?? 0, entry.notBefore ?? 0);
  const dueAt = Math.min(entry.dueAt, soonest);
  if (dueAt === entry.dueAt && entry.attempts === 0) return null;
  return { dueAt, attempts: 0, spent: {}, lastDelayMs: 0 };
}
