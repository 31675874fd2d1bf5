import { clockIsTrusted } from '../core/clock';
import type { Entry, Lease } from '../core/entry';
import { gateOf, standing } from '../core/gates';
import { bucketOf, laneKeyOf, originOf } from '../core/index-keys';
import { advance } from '../core/lifecycle';
import { unfit, type Unfit } from '../core/readiness';
import { allowance } from './allowance';
import { bury } from './bury';
import type { Context } from './context';
import { doorOf } from './door';
import { keeperOf } from './keeper';
import { leaseMs } from './leases';
import type { Ledger } from './ledger';
import type { Soonest } from './soonest';

/** How long a head is out of sight when its lane is paused without an end, ms; `resume` brings it back at once. */
const parkMs = 3_600_000;

/** The head, and what one slot can send after it without asking again: the next of its lane, or others of the same origin. */
export async function fill(
  ledger: Ledger,
  context: Context,
  head: Entry,
  size: number,
  spare: Entry[],
  next: Soonest,
): Promise<Entry[]> {
  const now = context.system.now();
  if (head.lane === null) {
    const origin = originOf(head.request.url);
    const alone = size === 1 || doorOf(context, head) !== undefined;
    const more = alone ? [] : spare.filter((entry) => originOf(entry.request.url) === origin).slice(0, size - 1);
    for (const entry of more) spare.splice(spare.indexOf(entry), 1);
    const taken: Entry[] = [];
    for (const entry of [head, ...more]) {
      const wrong = unfitNow(context, entry, now);
      if (wrong) await bury(ledger, entry, { ...wrong, at: now }, {}, holds(context, entry));
      else taken.push(await take(ledger, context, entry, now));
    }
    return taken;
  }
  const paused = standing(ledger.gates.lanes[laneKeyOf(head.subject, head.lane)], now);
  if (paused) {
    const until = paused.until ?? now + parkMs;
    await ledger.update(head, { dueAt: until, parkedUntil: until });
    next.at(until);
    return [];
  }
  if ((head.notBefore ?? 0) > now) {
    await ledger.update(head, { dueAt: head.notBefore });
    return [];
  }
  const line = await ledger.rows.lane(laneKeyOf(head.subject, head.lane), size, head.seq - 1);
  if (line[0]?.seq !== head.seq) {
    // Its row was tampered with: it is not found under the keys it should have. Written again, it is.
    await ledger.update(head, {});
    return [];
  }
  const { taken, stopped } = await takeLine(ledger, context, line, { like: head, fromHead: true });
  if (stopped) {
    await bury(ledger, stopped.entry, { ...stopped.wrong, at: now }, {}, holds(context, stopped.entry));
  }
  return taken;
}

/** What a slot of this subject is at, and has ahead of it. */
export interface GoingWell {
  readonly subject: string | null;
  /** The last it has claimed. */
  readonly last: Entry;
  readonly size: number;
}

/**
 * More for a slot that gets on well, in the transaction that writes what it has done, so that it need not stop for a claim.
 * Whatever is not plain (a gate that is not wide open, somebody who came back into the line) is left to the next claim.
 */
export async function topUp(ledger: Ledger, context: Context, { subject, last, size }: GoingWell): Promise<Entry[]> {
  const now = context.system.now();
  const { gates, rows } = ledger;
  const { concurrency } = context.config;
  const bucket = bucketOf(last);
  if (!clockIsTrusted(gates.clock, now) || gateOf(bucket, gates, keeperOf(context, subject), now)) return [];
  const origin = originOf(last.request.url);
  if (allowance(gates, origin, now, false, concurrency).allowed < concurrency) return [];
  if (last.lane === null) {
    const due = await rows.ready(bucket, now, size);
    const more = due.filter((entry) => isPlain(context, entry, now) && originOf(entry.request.url) === origin);
    const taken: Entry[] = [];
    for (const entry of more) taken.push(await take(ledger, context, entry, now));
    return taken;
  }
  const laneKey = laneKeyOf(last.subject, last.lane);
  if (standing(gates.lanes[laneKey], now) || ledger.front(laneKey) !== undefined) return [];
  // Whoever took over from us has the line now.
  const [own, line] = await Promise.all([rows.bySeq(last.seq), rows.lane(laneKey, size, last.seq)]);
  if (own?.id !== last.id || own.state !== 'sending' || own.lease?.token !== last.lease?.token) return [];
  return (await takeLine(ledger, context, line, { like: last, fromHead: false })).taken;
}

function isPlain(context: Context, entry: Entry, now: number): boolean {
  return entry.lane === null && entry.state === 'pending' && !doorOf(context, entry) && !unfitNow(context, entry, now);
}

interface Line {
  /** One slot sends what shares every gate: the next of the line may go to an origin that wants quiet. */
  readonly like: Entry;
  /** The first of it is its head: that one is due by the look that found it, and follows nobody. */
  readonly fromHead: boolean;
}

/** Takes from the front of a line what may go one after another. */
async function takeLine(
  ledger: Ledger,
  context: Context,
  line: readonly Entry[],
  { like, fromHead }: Line,
): Promise<{
  readonly taken: Entry[];
  readonly stopped?: { readonly entry: Entry; readonly wrong: NonNullable<Unfit> };
}> {
  const now = context.system.now();
  const taken: Entry[] = [];
  for (const entry of line) {
    const isHead = fromHead && entry === line[0];
    const free = entry.state === 'pending' && (entry.dueAt <= now || isHead);
    // It may need the ETag of the one before it, which is not written yet.
    if (entry.chained && !isHead) break;
    if (!free || bucketOf(entry) !== bucketOf(like) || entry.waitsFor?.length || (entry.notBefore ?? 0) > now) break;
    const wrong = unfitNow(context, entry, now);
    if (wrong)
      return clockIsTrusted(ledger.gates.clock, now) && fromHead ? { taken, stopped: { entry, wrong } } : { taken };
    taken.push(await take(ledger, context, entry, now));
  }
  return { taken };
}

/** Whether it must not be sent. While the clock is in doubt it does not die of that either: it waits until it is known. */
export function unfitNow(context: Context, entry: Entry, now: number): Unfit {
  return unfit(entry, now, context.config.routeNamed(entry.route).keyRetentionMs);
}

async function take(ledger: Ledger, context: Context, entry: Entry, now: number): Promise<Entry> {
  const lease: Lease = { owner: context.owner, token: ledger.token(), until: now + leaseMs(context, entry) };
  return ledger.update(entry, {
    state: advance(entry.state, 'claim'),
    lease,
    parkedUntil: undefined,
  });
}

export function holds(context: Context, entry: Entry): boolean {
  return context.config.routeNamed(entry.route).laneOnDead === 'hold-lane';
}
