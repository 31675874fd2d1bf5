import type { Entry } from './entry';
import { originOf } from './index-keys';

export interface PickOptions {
  /** Requests at the same time per origin. @default 3 */
  readonly cap: number;
  /** Entries of this priority or a more urgent one may use the slot that is kept free. @default 1 */
  readonly urgent: number;
  /** After so long a wait beyond its time an entry counts as one priority more urgent, in milliseconds. @default 60_000 */
  readonly agePerLevelMs: number;
}

export const defaultPick: PickOptions = { cap: 3, urgent: 1, agePerLevelMs: 60_000 };

/**
 * Which of the due heads of lanes go now: the most urgent first, then in the order they were made. Waiting makes more urgent,
 * so nothing starves; but only what is urgent itself gets an origin's last slot, so that it never queues behind bulk.
 *
 * @param inFlight how many requests are under way, by origin
 * @param allowed  how many may be (`mayGo`), by origin; the cap where it says nothing
 * @returns        some of the candidates, in the order in which to send them
 */
export function pick(
  candidates: readonly Entry[],
  inFlight: ReadonlyMap<string, number>,
  allowed: ReadonlyMap<string, number>,
  now: number,
  options: Partial<PickOptions> = {},
): Entry[] {
  const { cap, urgent, agePerLevelMs } = { ...defaultPick, ...options };
  const busy = new Map(inFlight);
  const inOrder = [...candidates].sort(
    (one, other) => urgency(one, now, agePerLevelMs) - urgency(other, now, agePerLevelMs) || one.seq - other.seq,
  );
  return inOrder.filter((entry) => {
    const origin = originOf(entry.request.url);
    const slots = Math.min(allowed.get(origin) ?? cap, cap);
    // One slot alone is no slot to keep: a probe may be anything.
    const mine = entry.priority <= urgent || slots < 2 ? slots : slots - 1;
    const going = busy.get(origin) ?? 0;
    if (going >= mine) return false;
    busy.set(origin, going + 1);
    return true;
  });
}

/** The priority an entry has earned by waiting: 0 at best. */
export function urgency(
  entry: Pick<Entry, 'priority' | 'dueAt'>,
  now: number,
  agePerLevelMs = defaultPick.agePerLevelMs,
): number {
  const levels = Math.floor(Math.max(0, now - entry.dueAt) / agePerLevelMs);
  return Math.max(0, entry.priority - levels);
}
