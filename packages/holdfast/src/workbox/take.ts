import type { Entry } from '../core/entry';
import { OutboxError } from '../core/errors';
import { bury } from '../flow/bury';
import { change } from '../flow/ledger';
import { notify } from '../flow/notify';
import type { Rows } from '../ports';
import { handOut, type QueueEntry } from './hand-out';
import { dropped } from './lending';
import { inLine, isExpired, laneKeyOfQueue, type Line } from './line';
import { endOf } from './replay';
import type { Run } from './run';

/**
 * Takes the first or last waiting entry out of the queue. Inside the app's `onSync` it is lent; elsewhere it is out for good,
 * closed in the list with what it was. On the way, what has expired goes to the dead letters.
 */
export async function take(line: Line, from: 'front' | 'end', run?: Run): Promise<QueueEntry | undefined> {
  const { context } = line;
  for (;;) {
    const candidate = await context.store.transact('read', (rows) => candidateOf(rows, line.queue, from));
    if (!candidate) return undefined;
    if (isExpired(candidate, context.system.now())) {
      await end(line, candidate);
      continue;
    }
    const handed = await handOut(line, candidate).catch((error: unknown) => putAside(line, candidate, error));
    const taken = handed && (await takeOut(line, candidate, run));
    if (!taken) continue;
    run?.handed(taken, handed.sent);
    return handed.given;
  }
}

async function candidateOf(rows: Rows, queue: string, from: 'front' | 'end'): Promise<Entry | undefined> {
  if (from === 'end') {
    const tail = await rows.laneTail(laneKeyOfQueue(queue));
    const last = tail === undefined ? undefined : await rows.bySeq(tail);
    if (!last || last.state === 'pending') return last;
  }
  let found: Entry | undefined;
  for await (const entry of inLine(rows, queue)) {
    if (entry.state !== 'pending') continue;
    found = entry;
    if (from === 'front') break;
  }
  return found;
}

/** Another context may have changed it since it was read; then it is not taken. */
async function takeOut(line: Line, candidate: Entry, run: Run | undefined): Promise<Entry | undefined> {
  const { context } = line;
  const changed = await change(context.store, context.config.durability, async (ledger) => {
    const row = await ledger.rows.bySeq(candidate.seq);
    if (row?.revision !== candidate.revision) return undefined;
    const now = context.system.now();
    if (await endOf(ledger, row, now)) return undefined;
    return run ? run.lend(ledger, row) : dropped(ledger, row, 'the app took it out of the queue', now);
  });
  notify(context, changed);
  return changed.value;
}

async function end(line: Line, candidate: Entry): Promise<void> {
  const { context } = line;
  const changed = await change(context.store, context.config.durability, async (ledger) => {
    const row = await ledger.rows.bySeq(candidate.seq);
    return row?.state === 'pending' ? endOf(ledger, row, context.system.now()) : undefined;
  });
  notify(context, changed);
}

/** One entry that cannot be read must not keep the app from the others. */
async function putAside(line: Line, candidate: Entry, error: unknown): Promise<undefined> {
  if (!(error instanceof OutboxError) || error.code !== 'unreadable') throw error;
  const { context } = line;
  const changed = await change(context.store, context.config.durability, async (ledger) => {
    const row = await ledger.rows.bySeq(candidate.seq);
    const burial = { reason: 'unreadable' as const, message: error.message, at: context.system.now() };
    return row?.state === 'pending' ? bury(ledger, row, burial) : undefined;
  });
  notify(context, changed);
}
