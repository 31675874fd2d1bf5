import type { Entry } from '../../core/entry';
import { OutboxError } from '../../core/errors';
import type { Context } from '../context';
import { change, type Ledger } from '../ledger';
import { notify } from '../notify';

/** An entry of the present subject. Another subject's looks like none at all. @throws OutboxError `not-found` */
export async function findMine(rows: Ledger['rows'], id: string, subject: string): Promise<Entry> {
  const entry = await rows.byId(id);
  if (entry?.subject === subject) return entry;
  throw new OutboxError(
    'not-found',
    `there is no entry "${id}" in this outbox (it may have been delivered and forgotten)`,
  );
}

/** Compare-and-set: the entry must be as the caller saw it. @throws OutboxError `changed-meanwhile` */
export function mustBe(entry: Entry, revision: number | undefined): void {
  if (revision === undefined || entry.revision === revision) return;
  throw new OutboxError(
    'changed-meanwhile',
    `entry "${entry.id}" changed since it was read; read it again and decide again`,
  );
}

/** One act of a person or the app on the queue: written strictly, told to everybody. */
export async function act<T>(
  context: Context,
  work: (ledger: Ledger, subject: string, now: number) => Promise<T>,
): Promise<T> {
  const subject = (await context.subject()) ?? '';
  const changed = await change(context.store, 'strict', (ledger) => work(ledger, subject, context.system.now()));
  notify(context, changed);
  return changed.value;
}
