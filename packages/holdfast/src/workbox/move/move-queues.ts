import type { Entry } from '../../core/entry';
import { bury } from '../../flow/bury';
import { log, type Context } from '../../flow/context';
import { change, type Ledger } from '../../flow/ledger';
import { notify } from '../../flow/notify';
import { record, type Intent } from '../../flow/record';
import { intentFor, type Line } from '../line';
import { laneOfQueue } from '../policy';
import { oldDatabases, type OldDatabase, type OldRow, type OpenOldDatabase } from './old-database';
import { printOf, queueOf, readOldRow, type Salvaged } from './read-old-row';

/** A queue of this worker, which takes over what waits under its name. */
export interface Heir {
  readonly name: string;
  readonly retentionMs: number;
}

/** Rows that go over in one transaction. */
const batchSize = 50;

/**
 * Moves what earlier libraries left for these queues into the outbox, oldest first, each row exactly once however often this
 * worker dies or starts in between: a row is stored and noted as moved in one transaction, and only then removed from where it
 * was. A database goes when nothing is left in it; rows of other queues stay, for they may be another app's on this origin.
 *
 * @returns the names of the queues that have something to send now
 * @throws whatever keeps the old database or the outbox from being read; what was not moved yet is still where it was
 */
export async function moveQueues(
  context: Context,
  heirs: readonly Heir[],
  open: OpenOldDatabase,
): Promise<readonly string[]> {
  const filled = new Set<string>();
  for (const name of oldDatabases) {
    await context.lock.hold('move', { wait: true }, async () => {
      const old = await open(name);
      try {
        if (old) await empty(context, heirs, name, old, filled);
        // Only now can no row come twice any more.
        await forgetNotes(context, name);
        await old?.dropIfEmpty();
      } finally {
        old?.close();
      }
    });
  }
  return [...filled];
}

async function empty(
  context: Context,
  heirs: readonly Heir[],
  name: string,
  old: OldDatabase,
  filled: Set<string>,
): Promise<void> {
  const names = new Set<string | undefined>([undefined, ...heirs.map((heir) => heir.name)]);
  for (let after: OldRow['id'] | undefined; ;) {
    const batch = await old.rows(batchSize, after);
    if (batch.length === 0) return;
    after = batch.at(-1)?.id;
    const ours = batch.filter((row) => names.has(queueOf(row)));
    if (ours.length === 0) continue;
    for (const queue of await takeOver(context, heirs, name, ours)) filled.add(queue);
    await old.remove(ours.map((row) => row.id));
  }
}

interface Prepared {
  readonly print: string;
  readonly salvaged: Salvaged;
  readonly intent: Intent;
  readonly expired: boolean;
}

/** @returns the queues that got something to send */
async function takeOver(
  context: Context,
  heirs: readonly Heir[],
  name: string,
  rows: readonly OldRow[],
): Promise<Set<string>> {
  const prepared: Prepared[] = [];
  for (const row of rows) prepared.push(await prepare(context, heirs, name, row));
  const changed = await change(context.store, 'strict', async (ledger) => {
    const notes = (await ledger.rows.control('moved')) ?? {};
    const known = new Set(notes[name]);
    const stored: Entry[] = [];
    for (const one of prepared) if (!known.has(one.print)) stored.push(await storeOne(ledger, context, one));
    await ledger.rows.putControl('moved', { ...notes, [name]: [...known, ...prepared.map(({ print }) => print)] });
    return stored;
  });
  notify(context, changed);
  for (const entry of changed.value) {
    log(context, { event: 'enqueue', id: entry.id, route: entry.route, message: `moved from ${name}` });
  }
  const waiting = changed.value.filter((entry) => entry.state === 'pending').map((entry) => entry.lane);
  return new Set(heirs.map((heir) => heir.name).filter((queue) => waiting.includes(laneOfQueue(queue))));
}

async function prepare(context: Context, heirs: readonly Heir[], name: string, row: OldRow): Promise<Prepared> {
  const now = context.system.now();
  const salvaged = readOldRow(row, now);
  const retentionMs = heirs.find((heir) => heir.name === salvaged.queue)?.retentionMs ?? Infinity;
  const line = lineFor(context, salvaged.queue ?? name, retentionMs);
  const intent = await intentFor(line, { ...salvaged, attempted: true, syncComes: false }, { movedFrom: name });
  const { broken, timestamp } = salvaged;
  const entry = { ...intent.entry, dueAt: now, ...(broken && { raw: broken.raw }) };
  return { print: printOf(row), salvaged, intent: { ...intent, entry }, expired: now - timestamp > retentionMs };
}

/** What was accepted once is not refused now: no limit applies. */
function lineFor(context: Context, queue: string, retentionMs: number): Omit<Line, 'recorder'> {
  const { config } = context;
  const limits = { ...config.limits, bodyBytes: Infinity };
  const generous = { ...context, config: { ...config, limits } };
  return { context: generous, queue, retentionMs };
}

async function storeOne(ledger: Ledger, context: Context, one: Prepared): Promise<Entry> {
  const { intent, salvaged, expired } = one;
  // A key of the app's own may be on two rows: each goes out with it, but here each has a name of its own.
  const taken = await ledger.rows.byKey(intent.entry.key);
  const entry = taken ? { ...intent.entry, key: context.system.id() } : intent.entry;
  const limits = { ...context.config.limits, entries: Infinity, bytes: Infinity, perLane: Infinity };
  const stored = (await record(ledger, { ...intent, entry }, limits)).entry;
  const at = context.system.now();
  if (salvaged.broken) {
    const message = `It cannot be sent as it was stored: ${salvaged.broken.why}. Its raw content is kept.`;
    return bury(ledger, stored, { reason: 'unreadable', message, at });
  }
  if (!expired) return stored;
  const message =
    "Its queue's maxRetentionTime passed before it was moved here. An earlier attempt may have been received.";
  return bury(ledger, stored, { reason: 'expired', message, at });
}

async function forgetNotes(context: Context, name: string): Promise<void> {
  const notes = await context.store.transact('read', (rows) => rows.control('moved'));
  if (!notes?.[name]) return;
  await context.store.transact('strict', async (rows) => {
    const { [name]: _, ...others } = (await rows.control('moved')) ?? {};
    await rows.putControl('moved', others);
  });
}
