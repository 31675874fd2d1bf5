import type { Gates } from '../core/control';
import type { Entry, Lease } from '../core/entry';
import { clockIsTrusted, dueNow } from '../core/clock';
import { gateOf, standing } from '../core/gates';
import { bucketOf, indexKeys, laneKeyOf, originOf } from '../core/index-keys';
import { advance } from '../core/lifecycle';
import { mayGo } from '../core/breaker';
import { mayReach } from '../core/connectivity';
import { pick } from '../core/pick';
import { unfit, type Unfit } from '../core/readiness';
import { bury } from './bury';
import type { Context } from './context';
import { keeperOf } from './keeper';
import { leaseMs, leaseRuns } from './leases';
import { isStrayed, putAside } from './lane';
import type { Ledger } from './ledger';
import { mendClock } from './mend-clock';
import { release } from './settle';
import { doorOf, sharesDoor } from './door';

/** What is going on in this drain, so that caps hold across claims. */
export interface Going {
  /** Requests under way, by origin. */
  readonly inFlight: ReadonlyMap<string, number>;
  /** Entries one slot may take at once: 1 while answers are slow, more while they are quick. */
  readonly parcel: number;
  /** A hint (online, resume, a person) allows one probe although offline or open. */
  readonly hinted: boolean;
}

export interface Claimed {
  /** Each is sent in order by one slot; a lane is never in two of them. */
  readonly parcels: readonly (readonly Entry[])[];
  /** When to look again if nothing else happens, epoch ms; null when nothing waits. */
  readonly nextAt: number | null;
  /** Something was moved out of the way (it died, its lane is paused, its sender is gone): what stood behind it may go now. */
  readonly again: boolean;
}

/** How soon to look again whether the connection is still metered, ms. */
const meteredLookMs = 300_000;

/** How many due heads of one bucket are looked at: enough to choose from, and the same for a hundred or a hundred thousand. */
const windowSize = 32;

/** Takes what may go now: a few reads per open bucket, however many entries wait behind them. */
export async function claim(ledger: Ledger, context: Context, subject: string | null, going: Going): Promise<Claimed> {
  const now = context.system.now();
  const { config } = context;
  // After a leap of the clock nobody can tell a week in a drawer from a wrong clock; then nothing expires until it is known.
  const trusted = clockIsTrusted(ledger.gates.clock, now);
  if (trusted) await expireOverdue(ledger, context, now);
  const keeper = keeperOf(context, subject);
  const next = new Soonest();
  const expiry = await ledger.rows.nextExpiry();
  // One that is past and still here is being sent, or in doubt: it is looked at again later, not at once.
  if (expiry !== undefined) next.at(expiry > now ? expiry : trusted ? now + 1_000 : ledger.gates.clock.doubtUntil);

  const candidates: Entry[] = [];
  let again = false;
  for (const bucket of Object.keys(ledger.book.buckets)) {
    const shut = gateOf(bucket, ledger.gates, keeper, now);
    if (shut) {
      if (shut.until !== null) next.at(shut.until);
      // Nobody knows when a connection gets cheaper, and not every engine says when it has.
      else if (shut.kind === 'metered') next.at(now + meteredLookMs);
      continue;
    }
    const due = await ledger.rows.ready(bucket, now, windowSize);
    if (due.length === 0) {
      due.push(...(await mendClock(ledger, context, bucket, now)));
      if (due.length === 0) next.at(await ledger.rows.nextReadyAt(bucket));
    }
    const lost = due.filter((entry) => entry.state === 'sending');
    for (const entry of lost) await release(ledger, entry, orphan(entry, now));
    // Nothing else belongs here: a row that cannot be read, or whose keys were tampered with. It must not take up the window.
    const strayed = due.filter((entry) => entry.state === 'dead' || entry.state === 'delivered');
    for (const entry of strayed) await (isStrayed(entry) ? putAside(ledger, entry) : ledger.update(entry, {}));
    again ||= lost.length > 0 || strayed.length > 0;
    const waiting = due.filter((entry) => entry.state === 'pending');
    const fit = trusted ? waiting : waiting.filter((entry) => !unfitNow(context, entry, now));
    if (fit.length < waiting.length) {
      next.at(ledger.gates.clock.doubtUntil);
      const [later] = await ledger.rows.ready(bucket, Number.MAX_VALUE, 1, [now, Infinity]);
      // Not its due time: what is being sent is looked at when its lease ends.
      next.at(later && indexKeys(later).ready?.[1]);
    }
    candidates.push(...fit);
  }

  const allowed = new Map<string, number>();
  for (const origin of new Set(candidates.map((entry) => originOf(entry.request.url)))) {
    const { allowed: slots, nextAt } = allowance(ledger.gates, origin, now, going.hinted, config.concurrency);
    allowed.set(origin, slots);
    if (slots === 0 && nextAt !== undefined) next.at(nextAt);
  }
  const chosen = pick(candidates, going.inFlight, allowed, now, { cap: config.concurrency });
  const parcels: Entry[][] = [];
  const spare = candidates.filter((entry) => entry.lane === null && !chosen.includes(entry) && !doorOf(context, entry));
  const taken = new Set<Entry>();
  for (const head of chosen) {
    if (taken.has(head)) continue;
    // Whoever comes back after a failure is asked by one request first, and not by twenty in one.
    const probing = (allowed.get(originOf(head.request.url)) ?? 0) < config.concurrency;
    const door = probing ? undefined : doorOf(context, head);
    // One call takes whoever may go through the same door, of one lane or of many, however slow the line: it is for slow ones.
    const alike = door ? candidates.filter((other) => other !== head && sharesDoor(context, other, head)) : [];
    const size = door?.maxRequests ?? going.parcel;
    const parcel: Entry[] = [];
    for (const one of [head, ...alike]) {
      if (taken.has(one) || parcel.length >= size) continue;
      taken.add(one);
      const more = await fill(ledger, context, one, size - parcel.length, spare, next);
      if (more.length === 0) again = true;
      parcel.push(...more);
    }
    if (parcel.length > 0) parcels.push(parcel);
  }
  return { parcels, nextAt: next.value, again };
}

/** How many may be under way to an origin: whether anything reaches any server, its breaker, and its pause. */
export function allowance(
  gates: Gates,
  origin: string,
  now: number,
  hinted: boolean,
  cap: number,
): { allowed: number; nextAt?: number } {
  const reach = mayReach(gates.connectivity, now, hinted);
  const go = mayGo(gates.origins[origin], now, { cap, hinted });
  const nextAt = Math.max(reach.nextAt ?? 0, go.nextAt ?? 0);
  return { allowed: Math.min(reach.allowed, go.allowed), ...(nextAt > 0 && { nextAt }) };
}

/** How long a head is out of sight when its lane is paused without an end, ms; `resume` brings it back at once. */
const parkMs = 3_600_000;

/** The head, and what one slot can send after it without asking again: the next of its lane, or others of the same origin. */
async function fill(
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
  // One slot sends what shares every gate: the next of the line may go to an origin that wants quiet.
  const line = await ledger.rows.lane(laneKeyOf(head.subject, head.lane), size, head.seq - 1);
  if (line[0]?.seq !== head.seq) {
    // Its row was tampered with: it is not found under the keys it should have. Written again, it is.
    await ledger.update(head, {});
    return [];
  }
  const parcel: Entry[] = [];
  for (const entry of line) {
    const free = entry.state === 'pending' && (entry.dueAt <= now || entry === line[0]);
    const alike = bucketOf(entry) === bucketOf(head);
    // It may need the ETag of the one before it, which is not written yet.
    if (entry.chained && parcel.length > 0) break;
    if (!free || !alike || entry.waitsFor?.length || (entry.notBefore ?? 0) > now) break;
    const wrong = unfitNow(context, entry, now);
    if (wrong && !clockIsTrusted(ledger.gates.clock, now)) break;
    if (wrong) {
      await bury(ledger, entry, { ...wrong, at: now }, {}, holds(context, entry));
      break;
    }
    parcel.push(await take(ledger, context, entry, now));
  }
  return parcel;
}

/** Whether it must not be sent. While the clock is in doubt it does not die of that either: it waits until it is known. */
function unfitNow(context: Context, entry: Entry, now: number): Unfit {
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

/** What a sender that died leaves behind: nobody knows how far its request got. */
export function orphan(entry: Entry, now: number): Partial<Entry> {
  return {
    outcome: entry.outcome === 'answered' ? 'answered' : 'unknown',
    firstUnknownAt: entry.firstUnknownAt ?? now,
    tries: entry.tries + 1,
    dueAt: dueNow(entry, now),
  };
}

/**
 * Gives back what senders that died still hold. Called by whoever has the drain's lock: when he is `alone` under it no other
 * drain is alive, so their leases need not run out first. Live attempts are made outside the lock and keep theirs, and so does
 * what an earlier slice of this context could not settle.
 */
export async function reclaim(ledger: Ledger, context: Context, subject: string, alone: boolean): Promise<number> {
  const now = context.system.now();
  const held = await ledger.rows.list({ subject, state: 'sending', limit: 500 });
  const orphans = held.filter((entry) => {
    if (entry.state !== 'sending') return false;
    const othersDrain = alone && entry.lease?.owner !== context.owner && entry.lease?.live !== true;
    return othersDrain || !leaseRuns(context, entry, now);
  });
  for (const entry of orphans) await release(ledger, entry, orphan(entry, now));
  return orphans.length;
}

/** Own deadlines are kept whether or not a server can be reached. */
async function expireOverdue(ledger: Ledger, context: Context, now: number): Promise<void> {
  const overdue = await ledger.rows.expiring(now, 50);
  for (const { seq } of overdue) {
    // Read again: the death of the one before may have made it a head.
    const entry = await ledger.rows.bySeq(seq);
    if (entry?.state !== 'pending') continue;
    const message =
      entry.outcome === 'never-sent'
        ? 'its time ran out before it could be sent; it was never sent'
        : 'its time ran out before the server answered; an earlier attempt may have been received';
    await bury(ledger, entry, { reason: 'expired', message, at: now }, {}, holds(context, entry));
  }
}

export function holds(context: Context, entry: Entry): boolean {
  return context.config.routeNamed(entry.route).laneOnDead === 'hold-lane';
}

class Soonest {
  value: number | null = null;
  at(moment: number | undefined): void {
    if (moment !== undefined && (this.value === null || moment < this.value)) this.value = moment;
  }
}
