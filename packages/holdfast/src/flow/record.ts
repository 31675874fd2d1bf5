import type { Book } from '../core/control';
import { noCounts } from '../core/control';
import type { BodyInfo, Entry, KeptAnswer } from '../core/entry';
import { OutboxError } from '../core/errors';
import { laneKeyOf } from '../core/index-keys';
import type { Limits } from '../core/options';
import type { Body } from '../ports';
import { bury } from './bury';
import { standsFirst } from './lane';
import type { Ledger } from './ledger';
import { waiting } from './waiting';

/** A request that is about to become an entry: everything is known, nothing is stored. */
export interface Intent {
  readonly entry: Omit<Entry, 'v' | 'seq' | 'revision' | 'head' | 'waitsFor' | 'parents' | 'children'>;
  /** The body, when it is too large for the row. */
  readonly apart?: Body | undefined;
  /** Its key was made for it just now, out of chance: no other row can have it. @default false */
  readonly keyIsNew?: boolean | undefined;
  /** Which of two waiting writes of the same scope wins. */
  readonly supersedeMode?: 'keep-latest' | 'keep-first' | undefined;
}

export interface Recorded {
  readonly entry: Entry;
  /** False when the same intent was stored before (same key and content, or `keep-first`). */
  readonly isNew: boolean;
}

/**
 * Stores an intent: checks its key, the limits and what it depends on, gives it its place in line.
 * Everything is checked before the first row changes, so that a refusal leaves nothing behind.
 * @throws OutboxError `duplicate-key`, `full`, `dependency-failed`
 */
export async function record(ledger: Ledger, intent: Intent, limits: Limits): Promise<Recorded> {
  const { entry } = intent;
  const known = await ledger.rows.byKey(entry.key);
  if (known) {
    if (isSameIntent(known, intent)) return { entry: known, isNew: false };
    throw new OutboxError(
      'duplicate-key',
      `the key of this ${entry.request.method} ${entry.request.url} belongs to another request; make a new key for a new intent`,
    );
  }
  const rivals =
    entry.supersedes === undefined
      ? []
      : (await ledger.rows.replaceable(entry.supersedes)).filter((row) => isReplaceable(row, entry));
  const first = rivals[0];
  if (first && intent.supersedeMode === 'keep-first') return { entry: first, isNew: false };
  const parents = await Promise.all((entry.dependsOn ?? []).map((id) => parentOf(ledger, id, entry.subject)));
  await makeRoom(ledger, entry, limits, rivals);

  for (const { seq } of rivals) {
    // Read again: the end of the one before may have made it a head.
    const rival = await ledger.rows.bySeq(seq);
    if (!rival) continue;
    await bury(ledger, rival, {
      reason: 'superseded',
      message: 'a newer write of the same thing took its place',
      at: entry.createdAt,
    });
  }
  const waitsFor = parents.filter((parent) => parent.state !== 'delivered').map((parent) => parent.id);
  const answers = parents.filter((parent) => parent.answer).map((parent) => [parent.id, parent.answer as KeptAnswer]);
  const head = await standsFirst(ledger, entry.subject, entry.lane);
  const stored = await ledger.insert({
    ...(head ? entry : behind(entry)),
    head,
    ...(waitsFor.length > 0 && { waitsFor }),
    ...(answers.length > 0 && { parents: Object.fromEntries(answers) as Record<string, KeptAnswer> }),
  });
  if (intent.apart) await ledger.rows.putBody(stored.seq, intent.apart);
  for (const id of waitsFor) {
    // Read again: making room may have made it a head.
    const parent = await ledger.rows.byId(id);
    if (parent) await ledger.update(parent, { children: [...(parent.children ?? []), stored.id] });
  }
  ledger.tally(entry.subject, (tally) => ({ ...tally, accepted: tally.accepted + 1 }));
  return { entry: stored, isNew: true };
}

/** Somebody got in line while its live attempt was being prepared: it waits like everybody. */
function behind({ lease: _, ...entry }: Intent['entry']): Intent['entry'] {
  return { ...entry, state: 'pending' };
}

/** The same key with the same request is the same intent told twice, not a second one. */
function isSameIntent(known: Entry, { entry }: Intent): boolean {
  return (
    known.request.method === entry.request.method &&
    known.request.url === entry.request.url &&
    sizeInside(known.body) === sizeInside(entry.body) &&
    (known.body.sealed !== undefined ||
      ((known.body.digest ?? '') === (entry.body.digest ?? '') && sameBytes(known.body.bytes, entry.body.bytes)))
  );
}

/** Sealed twice, the same bytes look different; their size must do. */
function sizeInside({ size, sealed }: BodyInfo): number {
  return sealed?.size ?? size;
}
function sameBytes(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === other || (one?.length === other?.length && (one ?? []).every((byte, i) => byte === other?.[i]));
}

/** What was never sent and nobody waits for, the new one included, can make way for it. */
function isReplaceable(row: Entry, entry: Intent['entry']): boolean {
  const isParent = Boolean(row.children?.length) || entry.dependsOn?.includes(row.id) === true;
  return row.state === 'pending' && row.outcome === 'never-sent' && !isParent;
}

async function parentOf(ledger: Ledger, id: string, subject: string): Promise<Entry> {
  const parent = await ledger.rows.byId(id);
  if (parent?.subject === subject && parent.dead?.triage !== 'closed') return parent;
  if (parent?.subject === subject) {
    throw new OutboxError(
      'dependency-failed',
      `entry "${id}" was closed without an answer, so nothing can wait for it; replay it first`,
    );
  }
  throw new OutboxError(
    'dependency-failed',
    `there is no entry "${id}" to depend on; it must be in the outbox when the request is made`,
  );
}

async function makeRoom(
  ledger: Ledger,
  entry: Intent['entry'],
  limits: Limits,
  leaving: readonly Entry[],
): Promise<void> {
  const laneKey = entry.lane === null ? undefined : laneKeyOf(entry.subject, entry.lane);
  for (;;) {
    const total = totals(ledger.book);
    // Counting takes the longer the more there are, and a line cannot hold more than wait in all.
    const inLane = laneKey && total.waiting >= limits.perLane ? await ledger.rows.laneSize(laneKey) : 0;
    const what =
      inLane - leaving.length >= limits.perLane
        ? `its lane holds ${inLane} requests (limit ${limits.perLane})`
        : total.waiting - leaving.length >= limits.entries
          ? `the outbox is full (limit ${limits.entries} requests)`
          : total.bytes + entry.body.size > limits.bytes && entry.body.size > 0
            ? `the outbox has no room for its body (limit ${limits.bytes} bytes)`
            : undefined;
    if (!what) return;
    const victim =
      limits.onFull === 'drop-oldest'
        ? await oldestDroppable(ledger, entry, inLane >= limits.perLane ? laneKey : undefined, leaving)
        : undefined;
    if (!victim)
      throw new OutboxError(
        'full',
        `this request was not kept: ${what}; deliver or close some first, or raise the limit`,
      );
    const dropped = await bury(ledger, victim, {
      reason: 'dropped',
      message: `dropped to make room: ${what}`,
      at: entry.createdAt,
    });
    // Its row stays in the dead letters; the room it made is that of a waiting one.
    if (total.bytes + entry.body.size > limits.bytes) await forgetBody(ledger, dropped);
  }
}

/** The dropped row keeps everything but the bytes: they were what had to go. */
async function forgetBody(ledger: Ledger, entry: Entry): Promise<void> {
  await ledger.rows.removeBody(entry.seq);
  await ledger.update(entry, { body: { size: 0, type: entry.body.type, kind: 'none' } });
}

async function oldestDroppable(
  ledger: Ledger,
  entry: Intent['entry'],
  laneKey: string | undefined,
  leaving: readonly Entry[],
): Promise<Entry | undefined> {
  const oldest = laneKey
    ? await ledger.rows.lane(laneKey, 20)
    : await waiting(ledger.rows, ledger.book, entry.subject, 'pending', 20);
  return oldest.find((row) => isReplaceable(row, entry) && !leaving.some(({ seq }) => seq === row.seq));
}

function totals(book: Book): { waiting: number; bytes: number } {
  const all = Object.values(book.subjects);
  const sum = all.reduce(
    (a, b) => ({ ...noCounts, pending: a.pending + b.pending + b.sending, bytes: a.bytes + b.bytes }),
    noCounts,
  );
  return { waiting: sum.pending, bytes: sum.bytes };
}
