import type { Entry } from '../core/entry';
import { laneKeyOf } from '../core/index-keys';
import type { Ledger, Patch } from './ledger';

/*
 * A lane is a line of entries in store order. Only its first member is a `head`, and only heads are in the scheduler's
 * index. These are the moments at which the head changes.
 */

/** Whether a new entry at the end of its lane stands first. */
export async function standsFirst(ledger: Ledger, subject: string, lane: string | null): Promise<boolean> {
  return lane === null || (await ledger.rows.laneTail(laneKeyOf(subject, lane))) === undefined;
}

/**
 * Someone left the line: whoever is first now becomes its head.
 * @param after looks only behind this `seq`, when everybody before it is known to be gone (a search from the start of the
 * index walks over what was deleted there, which gets slow after thousands)
 */
export async function promoteNext(
  ledger: Ledger,
  left: Pick<Entry, 'subject' | 'lane'>,
  after?: number,
): Promise<void> {
  if (left.lane === null) return;
  const laneKey = laneKeyOf(left.subject, left.lane);
  const front = ledger.front(laneKey);
  const from = front === undefined || after === undefined ? after : Math.min(after, front - 1);
  const [first] = await ledger.rows.lane(laneKey, 1, from);
  if (front !== undefined) ledger.setFront(laneKey, first?.seq);
  if (first && isStrayed(first)) return putAside(ledger, first);
  if (first?.state === 'pending' && !first.head) await ledger.update(first, { head: true, ...unparked(first) });
}

/** Collects who leaves the front of their lines in one transaction, so that each line is looked at once, when all have left. */
export function leavers(ledger: Ledger): {
  readonly note: (entry: Entry) => Promise<void>;
  readonly promote: () => Promise<void>;
} {
  const first = new Map<string, Entry>();
  return {
    note(entry) {
      if (entry.lane === null) return Promise.resolve();
      const laneKey = laneKeyOf(entry.subject, entry.lane);
      const before = first.get(laneKey);
      if (!before || entry.seq < before.seq) first.set(laneKey, entry);
      return Promise.resolve();
    },
    async promote() {
      for (const entry of first.values()) await promoteNext(ledger, entry, entry.seq);
    },
  };
}

/** Back in the scheduler's sight: what was out of it while its lane was paused had been due. */
export function unparked(entry: Entry): Patch {
  return entry.parkedUntil === undefined ? {} : { parkedUntil: undefined, dueAt: entry.notBefore ?? entry.createdAt };
}

/**
 * An entry goes back into its old place: returns whether that is the front, and takes the front from whoever waits there.
 */
export async function takePlace(ledger: Ledger, entry: Entry): Promise<boolean> {
  if (entry.lane === null) return true;
  const laneKey = laneKeyOf(entry.subject, entry.lane);
  const line = await ledger.rows.lane(laneKey, 2);
  const first = line.find((other) => other.seq !== entry.seq);
  // Others of the line may be on their way: when they leave it, those before them are not gone any more.
  if (first && entry.state === 'dead') ledger.setFront(laneKey, Math.min(first.seq, entry.seq));
  if (!first || first.seq > entry.seq) {
    if (first?.state === 'pending' && first.head) await ledger.update(first, { head: false });
    return true;
  }
  return false;
}

/** Cannot be read, and was only looked at so far: its row still lies where the one it was made as had its place. */
export function isStrayed(entry: Entry): boolean {
  return entry.state === 'dead' && entry.raw !== undefined && entry.finishedAt === undefined;
}

/**
 * Puts a row that cannot be read on the shelf of dead letters, with its raw content: where it lay, it would be met again and
 * again. It was counted as waiting and may have been first in a line, as far as that can still be told.
 */
export async function putAside(ledger: Ledger, entry: Entry): Promise<void> {
  const { lane, state } = entry.raw as { readonly lane?: unknown; readonly state?: unknown };
  const before: Entry = { ...entry, state: state === 'sending' ? 'sending' : 'pending' };
  await ledger.update(before, { state: 'dead', finishedAt: entry.dead?.at ?? entry.createdAt });
  if (typeof lane === 'string') await promoteNext(ledger, { subject: entry.subject, lane }, entry.seq);
}
