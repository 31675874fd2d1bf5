import type { Entry, KeptAnswer } from '../core/entry';
import { laneKeyOf } from '../core/index-keys';
import { advance, canMove } from '../core/lifecycle';
import { deliveredLate, type Settlement } from '../core/settlement';
import { headerOf } from '../core/header-pairs';
import type { Body } from '../ports';
import { bury, countRoute } from './bury';
import { swapBody } from './content';
import { promoteNext, takePlace } from './lane';
import type { Ledger } from './ledger';

/** One attempt's outcome, ready to be written. */
export interface Settling {
  /** As it was claimed: its lease has the fencing token. */
  readonly entry: Entry;
  readonly settlement: Settlement;
  readonly answer?: KeptAnswer | undefined;
  /** Bytes of a body in the patch that are too many for the row. */
  readonly apart?: Body | undefined;
  /** Its lane waits for a person when it dies. */
  readonly holdsLane: boolean;
}

export type LeftLine = (entry: Entry) => Promise<void>;

/**
 * Writes one outcome. Only the holder of the newest claim may: a stolen lock or a lost lease does not stop the old holder's
 * code, so the token is compared here, in the transaction that writes. One exception is a late answer: what the server
 * did is true whoever heard it, so it delivers an entry that has no valid claim now.
 * @param leftLine told of a delivered one that stood in front of its line; by default the next steps forward at once
 * @returns the entry as it is now, or undefined when the outcome came too late to matter
 */
export async function settle(
  ledger: Ledger,
  settling: Settling,
  leftLine: LeftLine = (entry) => promoteNext(ledger, entry, entry.seq),
): Promise<Entry | undefined> {
  const { entry, settlement, answer } = settling;
  const now = await ledger.rows.bySeq(entry.seq);
  // In a store that was cleared meanwhile numbers and tokens begin anew, and another entry has those of this one.
  if (now?.id !== entry.id) return undefined;
  const mine = isTaken(now, entry);
  // What was edited meanwhile is another intent under another key: the answer was not for that one.
  const late = settlement.move === 'deliver' && canMove(now.state, 'deliver') && now.key === entry.key;
  if (!mine && !late) return undefined;
  const patch = { ...(mine ? settlement.patch : deliveredLate(settlement.patch, now)), ...(answer && { answer }) };

  switch (settlement.move) {
    case 'deliver':
      return deliver(ledger, now, patch, leftLine);
    case 'refuse': {
      const dead = settlement.patch.dead;
      return bury(
        ledger,
        now,
        {
          reason: dead?.reason ?? 'rejected',
          message: dead?.message ?? 'the server refused it',
          at: dead?.at ?? settlement.patch.finishedAt ?? now.dueAt,
        },
        patch,
        settling.holdsLane,
      );
    }
    case 'release':
      if (settlement.patch.body) await swapBody(ledger, now, settling.apart);
      return release(ledger, now, patch);
  }
}

async function deliver(ledger: Ledger, entry: Entry, patch: Partial<Entry>, leftLine: LeftLine): Promise<Entry> {
  const delivered = await ledger.update(entry, {
    ...patch,
    state: advance(entry.state, 'deliver'),
    head: false,
    lease: undefined,
    dead: undefined,
    holdsLane: undefined,
    // The intent is fulfilled: its bytes are not needed again, and photos are heavy.
    body: entry.body.kind === 'apart' ? { ...entry.body, kind: 'none' } : entry.body,
  });
  if (entry.body.kind === 'apart') await ledger.rows.removeBody(entry.seq);
  if (entry.head || entry.state === 'sending' || entry.holdsLane) await leftLine(entry);
  for (const id of entry.children ?? []) await freeChild(ledger, id, delivered);
  await passEtag(ledger, delivered);
  const replayed = delivered.answer?.replayed ? 1 : 0;
  const firstReplay = entry.replays === 1 ? 1 : 0;
  ledger.tally(entry.subject, (tally) => ({
    ...tally,
    delivered: tally.delivered + 1,
    duplicates: tally.duplicates + replayed,
    firstReplayDelivered: tally.firstReplayDelivered + firstReplay,
    byRoute: countRoute(tally.byRoute, entry.route, 'delivered'),
  }));
  return delivered;
}

/** A parent was delivered: the child gets its answer, and may go when it was the last one. */
async function freeChild(ledger: Ledger, id: string, parent: Entry): Promise<void> {
  const child = await ledger.rows.byId(id);
  if (!child?.waitsFor?.includes(parent.id)) return;
  const left = child.waitsFor.filter((other) => other !== parent.id);
  await ledger.update(child, {
    waitsFor: left.length > 0 ? left : undefined,
    ...(parent.answer && { parents: { ...child.parents, [parent.id]: parent.answer } }),
  });
}

/** How many of its lane are looked through for the next to the same URL. */
const chainWindow = 50;

/** The next write to the same URL was made on top of this one, although it could not know its ETag yet. */
async function passEtag(ledger: Ledger, { subject, lane, seq, request, answer }: Entry): Promise<void> {
  const etag = answer && headerOf(answer.headers, 'etag');
  if (lane === null || !etag) return;
  const behind = await ledger.rows.lane(laneKeyOf(subject, lane), chainWindow, seq);
  const next = behind.find((entry) => entry.request.url === request.url);
  // What may have arrived keeps its bytes and headers: it is the same request to the server.
  if (next?.chained && next.state === 'pending' && next.outcome === 'never-sent')
    await ledger.update(next, { ifMatch: etag });
}

/** As if it had never been taken; nothing happens when it is not its taker's any more. */
export async function giveBack(ledger: Ledger, taken: Entry): Promise<Entry | undefined> {
  const now = await ledger.rows.bySeq(taken.seq);
  return now?.id === taken.id && isTaken(now, taken) ? release(ledger, now, {}) : undefined;
}

/** Whether it is still being sent under the same claim. */
function isTaken({ state, lease }: Entry, taken: Entry): boolean {
  return state === 'sending' && lease?.token === taken.lease?.token;
}

/** Back to waiting, in its old place. */
export async function release(ledger: Ledger, entry: Entry, patch: Partial<Entry>): Promise<Entry> {
  const head = await takePlace(ledger, entry);
  return ledger.update(entry, { ...patch, state: advance(entry.state, 'release'), head, lease: undefined });
}
