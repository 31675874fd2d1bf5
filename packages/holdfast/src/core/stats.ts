import type { Counts, Tally } from './control';
import type { Attempt } from './entry';

/** After so many failures with the same code in a row an entry counts as failing repeatedly. */
export const repeatedFrom = 3;

/** Figures of the outbox since it was made. Durations are in milliseconds, ratios between 0 and 1, null where nothing can be said yet. */
export interface Stats {
  readonly accepted: number;
  readonly delivered: number;
  /** Entries that came into the dead-letter list, those cancelled or superseded left out. */
  readonly died: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** Entries that failed with the same code three times in a row. */
  readonly repeatedFailures: number;
  /** Answers the server marked as repeated: what would have been duplicates. */
  readonly duplicates: number;
  readonly waiting: {
    readonly pending: number;
    readonly sending: number;
    readonly bytes: number;
    /** How long the oldest has been waiting. */
    readonly oldestMs: number | null;
  };
  readonly dead: {
    readonly count: number;
    readonly open: number;
    /** How long the oldest open one has been dead. */
    readonly oldestOpenMs: number | null;
    readonly closed: number;
    /** Mean time from claim to close. */
    readonly handlingMs: number | null;
  };
  readonly replays: {
    readonly count: number;
    /** Share of the replays that delivered at the first try. */
    readonly firstSuccess: number | null;
  };
  readonly byRoute: Tally['byRoute'];
  readonly byClass: Tally['byClass'];
}

/** Moments that only the rows know; null when there is none. */
export interface OldestAt {
  readonly pendingAt: number | null;
  readonly openDeadAt: number | null;
}

/** The figures as `stats()` gives them. @param now epoch ms */
export function statsFrom(tally: Tally, counts: Counts, oldest: OldestAt, now: number): Stats {
  const since = (at: number | null): number | null => (at === null ? null : Math.max(0, now - at));
  const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
  return {
    accepted: tally.accepted,
    delivered: tally.delivered,
    died: tally.died,
    retries: tally.retries,
    repeatedFailures: tally.repeated,
    duplicates: tally.duplicates,
    waiting: {
      pending: counts.pending,
      sending: counts.sending,
      bytes: counts.bytes,
      oldestMs: since(oldest.pendingAt),
    },
    dead: {
      count: counts.dead,
      open: counts.open,
      oldestOpenMs: since(oldest.openDeadAt),
      closed: tally.closed,
      handlingMs: ratio(tally.closeMs, tally.closed),
    },
    replays: { count: tally.replays, firstSuccess: ratio(tally.firstReplayDelivered, tally.replays) },
    byRoute: tally.byRoute,
    byClass: tally.byClass,
  };
}

/**
 * The sums after an attempt: how often each class came, and whether an entry has just begun to fail repeatedly.
 * @param history the entry's attempts, this one included
 */
export function tallyAttempt(tally: Tally, history: readonly Attempt[]): Tally {
  const latest = history.at(-1);
  if (!latest) return tally;
  const count = (tally.byClass[latest.class] ?? 0) + 1;
  return {
    ...tally,
    byClass: { ...tally.byClass, [latest.class]: count },
    repeated: tally.repeated + (sameInARow(history) === repeatedFrom ? 1 : 0),
  };
}

/** The sums after an entry was released to be sent again. */
export function tallyRetry(tally: Tally, route: string): Tally {
  const before = tally.byRoute[route] ?? { delivered: 0, died: 0, retries: 0 };
  return {
    ...tally,
    retries: tally.retries + 1,
    byRoute: { ...tally.byRoute, [route]: { ...before, retries: before.retries + 1 } },
  };
}

/** The sums after a dead letter was closed. @param claimedAt epoch ms, or undefined when nobody had claimed it */
export function tallyClosed(tally: Tally, claimedAt: number | undefined, now: number): Tally {
  return {
    ...tally,
    closed: tally.closed + 1,
    closeMs: tally.closeMs + Math.max(0, now - (claimedAt ?? now)),
  };
}

/** How many attempts at the end of a history failed alike: with the same status, or without one in the same class. */
export function sameInARow(history: readonly Attempt[]): number {
  const latest = history.at(-1);
  if (!latest || latest.class === 'delivered' || latest.class === 'unverified') return 0;
  const other = [...history]
    .reverse()
    .findIndex(({ status, class: kind }) => status !== latest.status || kind !== latest.class);
  return other === -1 ? history.length : other;
}
