import { type Backoff, longestDelayMs } from './backoff';
import type { Entry } from './entry';
import { defaultRetryAfter } from './retry-after';

/*
 * The wall clock is the only one that outlives a worker, and it can be wrong or be turned. The rules:
 *
 * - Order never depends on it: that is what `seq` is for.
 * - A wait is only ever shortened by distrust. A due time that lies before the moment it was set, or further away than the
 *   longest wait there is, belongs to a clock that was turned back: the entry is due now.
 * - Ages are never negative.
 * - Dying of old age needs a clock that can be believed. After a leap (`longestStepMs` without a look at the outbox) nobody
 *   can tell a week in a drawer from a clock set wrong by a week, and after an answer whose `Date` is suddenly further from
 *   our clock than those before, the clock was turned for certain. Then deadlines are not acted on until an answer's `Date`
 *   agrees with the earlier ones, or the clock has run on evenly for `graceMs`. A clock that is always wrong by the same
 *   amount is as good as a right one: deadlines are distances.
 */

/** Small steps back are the daily work of time servers, milliseconds. */
const TOLERANCE = 1_000;

/** No age is told beyond this, milliseconds: ten years. */
const OLDEST = 315_576_000_000;

/**
 * Whether a pending entry's due time can be right. A clock turned forward needs no rule: it makes things due early.
 * @param longestAskedMs the longest wait a server may ask for (`retryAfter.maxMs`), in milliseconds
 */
export function isSaneDueAt(
  entry: Pick<Entry, 'dueAt' | 'createdAt' | 'notBefore' | 'lastFailure'>,
  now: number,
  backoff: Backoff,
  longestAskedMs = defaultRetryAfter.maxMs,
): boolean {
  const { dueAt, createdAt, notBefore, lastFailure } = entry;
  if (dueAt <= now || dueAt === notBefore) return true;
  // Not the later of the two: on a clock that was turned back the intent may be of tomorrow and its last attempt of now.
  const setAt = lastFailure?.at ?? createdAt;
  const longestMs = Math.max(longestDelayMs(backoff), longestAskedMs + backoff.capMs);
  return !isTurnedBack(setAt, now) && dueAt - now <= longestMs;
}

/** Whether the clock shows a time before one that it has shown already, in epoch ms; what was to wait from then on is void. */
export function isTurnedBack(shownAt: number, now: number): boolean {
  return now < shownAt - TOLERANCE;
}

/**
 * A due time that is over, epoch ms. It is the moment from which `isSaneDueAt` counts, so that it is over as well, or known to be
 * wrong, when the clock is turned back later.
 */
export function dueNow({ createdAt, lastFailure }: Pick<Entry, 'createdAt' | 'lastFailure'>, now: number): number {
  return Math.min(now, lastFailure?.at ?? createdAt);
}

/** How old the intent is, in milliseconds: what `Holdfast-Age` says. Never negative, never more than ten years. */
export function ageMs(entry: Pick<Entry, 'createdAt'>, now: number): number {
  return Math.min(Math.max(0, now - entry.createdAt), OLDEST);
}

/** What is remembered of the clock between two looks at the outbox; kept in the store. */
export interface ClockWatch {
  /** When the outbox was last looked at, epoch ms; 0 for never. */
  readonly seenAt: number;
  /** Until then deadlines are not acted on, epoch ms; 0 for no doubt. */
  readonly doubtUntil: number;
  /** How far the servers' clock is ahead of ours, as far as it is known to be steady, in milliseconds; null for unknown. */
  readonly offsetMs: number | null;
}

export interface ClockOptions {
  /** The longest time between two looks that needs no confirmation, in milliseconds. @default 43_200_000 (12 hours) */
  readonly longestStepMs: number;
  /** How long a clock has to run evenly to be believed without confirmation, in milliseconds. @default 600_000 (10 minutes) */
  readonly graceMs: number;
  /** How far the distance between an answer's `Date` and our clock may stray, in milliseconds. @default 300_000 (5 minutes) */
  readonly agreesWithinMs: number;
}

export const defaultClock: ClockOptions = { longestStepMs: 43_200_000, graceMs: 600_000, agreesWithinMs: 300_000 };

export const freshClock: ClockWatch = { seenAt: 0, doubtUntil: 0, offsetMs: null };

/** To be called at each look at the outbox, before anything is expired. */
export function clockSeen(watch: ClockWatch, now: number, options = defaultClock): ClockWatch {
  const leapt = watch.seenAt !== 0 && now - watch.seenAt > options.longestStepMs;
  // Turned back by more than a little: whatever leap there was has been taken back.
  const corrected = isTurnedBack(watch.seenAt, now);
  // Never further away than it was set: small steps back must not add up.
  const standing = Math.min(watch.doubtUntil, now + options.graceMs);
  return { ...watch, seenAt: now, doubtUntil: leapt ? now + options.graceMs : corrected ? 0 : standing };
}

/**
 * What an answer's `Date` says about the clock. A distance like before ends any doubt; another one begins it, and becomes the
 * known one when the doubt has run its time.
 *
 * @param now       epoch ms by our clock
 * @param serverNow epoch ms by the answer's `Date`
 */
export function clockCompared(watch: ClockWatch, now: number, serverNow: number, options = defaultClock): ClockWatch {
  const offsetMs = serverNow - now;
  if (watch.offsetMs === null) return { ...watch, seenAt: now, offsetMs };
  if (Math.abs(offsetMs - watch.offsetMs) <= options.agreesWithinMs) return { ...watch, seenAt: now, doubtUntil: 0 };
  if (watch.doubtUntil === 0) return { ...watch, seenAt: now, doubtUntil: now + options.graceMs };
  return clockIsTrusted(watch, now, options) ? { seenAt: now, doubtUntil: 0, offsetMs } : { ...watch, seenAt: now };
}

/** Whether deadlines may be acted on. A doubt that reaches further than doubts do is itself a clock's mistake. */
export function clockIsTrusted(watch: ClockWatch, now: number, options = defaultClock): boolean {
  return now >= watch.doubtUntil || watch.doubtUntil - now > options.graceMs + TOLERANCE;
}
