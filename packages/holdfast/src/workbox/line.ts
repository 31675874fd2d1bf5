import { backoffMs } from '../core/backoff';
import type { Entry } from '../core/entry';
import { OutboxError } from '../core/errors';
import { laneKeyOf } from '../core/index-keys';
import { headerOf, withHeaders } from '../core/header-pairs';
import type { Captured } from '../flow/capture';
import { factsOf, intentOf } from '../flow/intent';
import type { Context } from '../flow/context';
import { takePlace } from '../flow/lane';
import { change, type Ledger } from '../flow/ledger';
import { notify } from '../flow/notify';
import { record, type Intent, type Recorded } from '../flow/record';
import type { Recorder } from '../flow/recorder';
import type { Rows } from '../ports';
import { shown, type Extras, type QueuedEntry } from './extras';
import { laneOfQueue } from './policy';

/** One queue's entries in the outbox: a lane, in order. */
export interface Line {
  readonly context: Context;
  readonly recorder: Recorder;
  readonly queue: string;
  readonly retentionMs: number;
}

/** A request on its way into a queue. */
export interface Item {
  readonly captured: Captured;
  /** When it was made, epoch ms: its time runs from here. */
  readonly timestamp: number;
  readonly metadata?: object | undefined;
  readonly keepalive: boolean;
  /** It was tried before and got no answer, so nobody knows whether it arrived. */
  readonly attempted: boolean;
  /** A sync event was asked for and will have it sent; we only see to it that somebody does. */
  readonly syncComes: boolean;
}

export function laneKeyOfQueue(queue: string): string {
  return laneKeyOf('', laneOfQueue(queue));
}

/** Rows that are read at once: a queue may hold a hundred thousand. */
const windowSize = 32;

/** Everything of this queue that stands in line, in order: waiting, lent and being sent. Read as far as it is asked for. */
export async function* inLine(rows: Rows, queue: string): AsyncGenerator<Entry, void> {
  for (let after: number | undefined; ;) {
    const found = await rows.lane(laneKeyOfQueue(queue), windowSize, after);
    yield* found;
    if (found.length < windowSize) return;
    after = found.at(-1)?.seq;
  }
}

/** What of this queue is being sent or lent to the app. */
export async function underWay(rows: Rows, queue: string): Promise<Entry[]> {
  const sending = await rows.list({ subject: '', state: 'sending', limit: 1_000 });
  return sending.filter((entry) => entry.lane === laneOfQueue(queue));
}

/** How many wait: what the app sees of its queue. What is under way is, for the app, out of it. */
export async function size(rows: Rows, queue: string): Promise<number> {
  return (await rows.laneSize(laneKeyOfQueue(queue))) - (await underWay(rows, queue)).length;
}

export function isExpired(entry: Entry, now: number): boolean {
  return entry.expiresAt !== undefined && entry.expiresAt <= now;
}

/**
 * Stores a request at the end or the front of its queue. Resolves when it is on the disk.
 * @throws OutboxError `full`, `not-storable`, `quota-exceeded`, `storage-unavailable`
 */
export async function add(line: Line, item: Item, place: 'end' | 'front'): Promise<Entry> {
  const { header } = line.context.config.key;
  try {
    const { entry, isNew } = await store(line, await intentFor(line, item), place);
    const isOver = entry.state === 'delivered' || entry.state === 'dead';
    // The key is ours, from a request the app had from this queue and wants to send once more.
    if (isNew || !isOver || headerOf(entry.request.headers, header) !== null) return entry;
  } catch (error) {
    // The app changed such a request: another request is another intent, and losing it would be worse.
    if (!(error instanceof OutboxError) || error.code !== 'duplicate-key') throw error;
  }
  const request = { ...item.captured.request, headers: withHeaders(item.captured.request.headers, { [header]: null }) };
  const other = await intentFor(line, { ...item, captured: { ...item.captured, request } });
  return (await store(line, other, place)).entry;
}

async function store({ context, recorder }: Line, intent: Intent, place: 'end' | 'front'): Promise<Recorded> {
  if (place === 'end') return recorder.record(intent);
  const changed = await change(context.store, context.config.durability, async (ledger) => {
    const recorded = await record(ledger, intent, context.config.limits);
    return recorded.isNew ? { ...recorded, entry: await toFront(ledger, recorded.entry) } : recorded;
  });
  notify(context, changed);
  return changed.value;
}

/** How long the browser may take to send its sync event before we look ourselves, ms. Online, it comes at once. */
const syncWaitMs = 15_000;

/** What will be stored of an item; slow work is done here, before a transaction opens. */
export async function intentFor(line: Omit<Line, 'recorder'>, item: Item, extras: Extras = {}): Promise<Intent> {
  const { context } = line;
  const route = context.config.routeNamed(laneOfQueue(line.queue));
  const { captured, timestamp, metadata, keepalive, attempted, syncComes } = item;
  const prepared = await context.prepareBody(captured.body, captured.type);
  const facts = { ...factsOf(captured.request), params: {} };
  const meta = shown(metadata);
  const call = { lane: laneOfQueue(line.queue), ...(meta !== undefined && { meta }) };
  const intent = intentOf(context, captured.request, prepared, { route, facts }, call, '');
  const now = context.system.now();
  const firstWaitMs = syncComes ? syncWaitMs : backoffMs(1, context.system.random(), route.retry.backoff);
  const entry: Omit<QueuedEntry, 'v' | 'seq' | 'revision' | 'head'> = {
    ...intent.entry,
    createdAt: timestamp,
    dueAt: now + firstWaitMs,
    ...(line.retentionMs !== Infinity && { expiresAt: timestamp + line.retentionMs }),
    outcome: attempted ? 'unknown' : 'never-sent',
    workbox: { ...extras, ...(metadata && { metadata }), ...(keepalive && { keepalive }) },
  };
  return { ...intent, entry };
}

/** Gives a new entry a place before all others of its lane. Store order is the only order, so it takes a number of its own. */
async function toFront(ledger: Ledger, entry: Entry): Promise<Entry> {
  const { rows } = ledger;
  const [first] = await rows.lane(laneKeyOf(entry.subject, entry.lane ?? ''), 1);
  if (!first || first.seq >= entry.seq) return entry;
  const seq = await freeBefore(rows, first.seq);
  const body = entry.body.kind === 'apart' ? await rows.body(entry.seq) : undefined;
  await rows.remove(entry.seq);
  if (body) {
    await rows.removeBody(entry.seq);
    await rows.putBody(seq, body);
  }
  const moved = { ...entry, seq };
  return ledger.update(moved, { head: await takePlace(ledger, moved) });
}

/** A number below `seq` that no row has: between two rows there is always room for some dozen more. */
async function freeBefore(rows: Rows, seq: number): Promise<number> {
  for (let gap = 0.5; seq - gap < seq; gap /= 2) {
    if (seq - gap > 0 && !(await rows.bySeq(seq - gap))) return seq - gap;
  }
  throw new OutboxError(
    'full',
    'there is no room left before the first request of this queue; let some of it be sent first',
  );
}
