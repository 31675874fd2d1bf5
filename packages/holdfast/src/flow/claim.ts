import { clockIsTrusted, dueNow } from '../core/clock';
import type { Entry } from '../core/entry';
import { gateOf } from '../core/gates';
import { indexKeys, originOf } from '../core/index-keys';
import { pick } from '../core/pick';
import { allowance } from './allowance';
import { bury } from './bury';
import type { Context } from './context';
import { doorOf, sharesDoor } from './door';
import { dueHeads } from './due-heads';
import { keeperOf } from './keeper';
import { isStrayed, putAside } from './lane';
import { leaseRuns } from './leases';
import type { Ledger } from './ledger';
import { fill, holds } from './parcel';
import { release } from './settle';
import { Soonest } from './soonest';
import { raiseLowest, waiting } from './waiting';

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

/** Takes what may go now: a few reads per open bucket, however many entries wait behind them. */
export async function claim(ledger: Ledger, context: Context, subject: string | null, going: Going): Promise<Claimed> {
  const now = context.system.now();
  const { config } = context;
  // After a leap of the clock nobody can tell a week in a drawer from a wrong clock; then nothing expires until it is known.
  const trusted = clockIsTrusted(ledger.gates.clock, now);
  if (trusted) await expireOverdue(ledger, context, now);
  if (subject !== null) await raiseLowest(ledger, subject);
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
    const { due, inDoubt } = await dueHeads(ledger, context, bucket, { now, trusted });
    if (inDoubt) {
      next.at(ledger.gates.clock.doubtUntil);
      const [later] = await ledger.rows.ready(bucket, Number.MAX_VALUE, 1, [now, Infinity]);
      // Not its due time: what is being sent is looked at when its lease ends.
      next.at(later && indexKeys(later).ready?.[1]);
    } else if (due.length === 0) next.at(await ledger.rows.nextReadyAt(bucket));
    const lost = due.filter((entry) => entry.state === 'sending');
    for (const entry of lost) await release(ledger, entry, orphan(entry, now));
    // Nothing else belongs here: a row that cannot be read, or whose keys were tampered with. It must not take up the window.
    const strayed = due.filter((entry) => entry.state === 'dead' || entry.state === 'delivered');
    for (const entry of strayed) await (isStrayed(entry) ? putAside(ledger, entry) : ledger.update(entry, {}));
    again ||= lost.length > 0 || strayed.length > 0;
    candidates.push(...due.filter((entry) => entry.state === 'pending'));
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
  const held = await waiting(ledger.rows, ledger.book, subject, 'sending', 500);
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
