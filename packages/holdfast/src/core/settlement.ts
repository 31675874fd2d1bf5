import { backoffMs } from './backoff';
import { budgetLeft, defaultInProgress } from './budget';
import type { Verdict } from './classify';
import type { Attempt, DeadLetter, DeadReason, Entry, Failure, Outcome } from './entry';
import type { RetryPolicy } from './options';

/** How many attempts an entry remembers. */
export const historyLength = 20;

/** The facts of the attempt that goes into the history. */
export interface AttemptRecord {
  /** HTTP status, 0 when no answer came. */
  readonly status: number;
  /** `type` of the problem document, when there was one. */
  readonly problem?: string;
  /** For people. */
  readonly message: string;
  /** From the first byte to the verdict, in milliseconds. */
  readonly tookMs: number;
  /** What the answer asks to wait (`askedWaitMs`), or null. */
  readonly askedMs: number | null;
}

/** One move in the life of an entry that is being sent, and the fields that change with it; `state`, `head` and `lease` follow from the move. */
export interface Settlement {
  readonly move: 'deliver' | 'refuse' | 'release';
  readonly patch: Partial<Entry>;
}

/**
 * What becomes of an entry after an attempt. It never ends in nothing: the entry is delivered, dead with a reason, or waits
 * with a due time that is no earlier than the server asked for.
 *
 * An entry whose own deadline comes before its next turn is due at the deadline, where it expires; an attempt does not
 * expire it.
 *
 * @param now  epoch ms
 * @param dice a number in [0, 1)
 * @throws OutboxError `bad-option` when the policy is out of range
 */
export function settlement(
  entry: Entry,
  verdict: Verdict,
  record: AttemptRecord,
  policy: RetryPolicy,
  now: number,
  dice: number,
): Settlement {
  const attempted = attemptPatch(entry, verdict, record, now);
  if (verdict.final === 'deliver') {
    return { move: 'deliver', patch: { ...attempted, finishedAt: now, verified: verdict.class !== 'unverified' } };
  }
  if (verdict.final === 'refuse') {
    return { move: 'refuse', patch: { ...attempted, ...death(verdict.reason ?? 'rejected', refusal(verdict), now) } };
  }
  if (verdict.counted && budgetLeft(entry.spent, verdict.class, policy.budgets) === 0) {
    return { move: 'refuse', patch: { ...attempted, ...death('exhausted', exhaustion(entry, verdict), now) } };
  }
  return { move: 'release', patch: { ...attempted, ...nextTurn(entry, verdict, record, policy, now, dice) } };
}

/**
 * A delivery for an entry that lived on since that attempt: which was counted when it was given up, and what came after it is
 * not forgotten.
 */
export function deliveredLate({ tries: _, history = [], ...patch }: Partial<Entry>, now: Entry): Partial<Entry> {
  return { ...patch, history: [...now.history, ...history.slice(-1)].slice(-historyLength) };
}

/** What every attempt leaves behind. */
function attemptPatch(entry: Entry, verdict: Verdict, record: AttemptRecord, now: number): Partial<Entry> {
  const failure: Failure = {
    class: verdict.class,
    status: record.status,
    ...(record.problem !== undefined && { problem: record.problem }),
    message: record.message,
    at: now,
  };
  const attempt: Attempt = { ...failure, tookMs: record.tookMs, counted: verdict.counted };
  const outcome = outcomeAfter(entry.outcome, verdict);
  return {
    tries: entry.tries + 1,
    history: [...entry.history, attempt].slice(-historyLength),
    outcome,
    ...(outcome === 'unknown' && { firstUnknownAt: entry.firstUnknownAt ?? now - record.tookMs }),
    ...(verdict.final !== 'deliver' && { firstFailure: entry.firstFailure ?? failure, lastFailure: failure }),
    ...(verdict.counted && {
      attempts: entry.attempts + 1,
      spent: { ...entry.spent, [verdict.class]: (entry.spent[verdict.class] ?? 0) + 1 },
    }),
  };
}

/**
 * A final answer settles the matter. Otherwise one attempt of unknown outcome outweighs any later refusal: it may have been
 * carried out although this answer says "not now". What came from the access network is no answer of the server's.
 */
function outcomeAfter(before: Outcome, verdict: Verdict): Outcome {
  if (verdict.final !== 'retry') return 'answered';
  if (verdict.unknown || before === 'unknown') return 'unknown';
  return verdict.class === 'captive' || verdict.class === 'offline' ? before : 'answered';
}

function nextTurn(
  entry: Entry,
  verdict: Verdict,
  record: AttemptRecord,
  policy: RetryPolicy,
  now: number,
  dice: number,
): Partial<Entry> {
  const working = verdict.class === 'in-progress';
  const backoff = working ? defaultInProgress : policy.backoff;
  const waitedFor = entry.spent['in-progress'] ?? 0;
  // What was not counted does not raise the wait: offline, `connectivity.ts` says when to probe again.
  const failures = working ? waitedFor + 1 : verdict.counted ? entry.attempts - waitedFor + 1 : 1;
  const delayMs = backoffMs(failures, dice, backoff, verdict.counted && !working ? entry.lastDelayMs : undefined);
  const dueAt = now + Math.max(delayMs, flooredMs(record.askedMs, policy, dice));
  return {
    dueAt: Math.min(dueAt, entry.expiresAt ?? Infinity),
    ...(verdict.counted && !working && { lastDelayMs: delayMs }),
  };
}

/** What the server asked for, and some more, for it told the same to everybody else. */
function flooredMs(askedMs: number | null, { backoff }: RetryPolicy, dice: number): number {
  if (askedMs === null) return 0;
  const spreadMs = Math.min(backoff.capMs, Math.max(backoff.baseMs, askedMs / 5));
  return askedMs + (backoff.jitter === 'none' ? 0 : Math.floor(dice * spreadMs));
}

function death(reason: DeadReason, message: string, at: number): Partial<Entry> {
  const dead: DeadLetter = { reason, message, at, triage: 'open' };
  return { dead, finishedAt: at };
}

function refusal({ class: kind, why, reason }: Verdict): string {
  if (reason === 'held') return `It may have been carried out: ${why}. Look at the target before it is sent again.`;
  if (kind === 'conflict') return `It clashes with what is there now (${why}). Compare, change it and send it again.`;
  if (kind === 'auth') return `It needs other credentials (${why}). Sign in and send it again.`;
  if (kind === 'redirected') return `It probably did not arrive: ${why}. Correct the address and send it again.`;
  return `It was refused (${why}). Sending the same again gives the same; change it first.`;
}

function exhaustion(entry: Entry, { class: kind, why }: Verdict): string {
  const times = (entry.spent[kind] ?? 0) + 1;
  return `It failed ${times} time${times === 1 ? '' : 's'} this way, the last time because ${why}. It may have been received. Send it again when the cause is gone.`;
}
