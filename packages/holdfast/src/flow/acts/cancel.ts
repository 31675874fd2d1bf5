import type { Entry } from '../../core/entry';
import { OutboxError } from '../../core/errors';
import { bury } from '../bury';
import { log, type Context } from '../context';
import { act, findMine, mustBe } from './find';

export interface CancelOptions {
  readonly revision?: number;
  /** For the record. */
  readonly reason?: string;
  /** Gives up an entry that may have been received: it is not sent again, and the record says so. @default false */
  readonly evenIfUnknown?: boolean;
}

/**
 * Takes a waiting entry out of the queue; it stays in the list as closed.
 * @throws OutboxError `not-found`, `changed-meanwhile`, `illegal-move` when it is being sent or finished,
 *   `outcome-unknown` when an earlier attempt may have been received
 */
export async function cancel(context: Context, id: string, options: CancelOptions = {}): Promise<Entry> {
  const entry = await act(context, async (ledger, subject, now) => {
    const found = await findMine(ledger.rows, id, subject);
    mustBe(found, options.revision);
    if (found.state !== 'pending')
      throw new OutboxError('illegal-move', `entry "${id}" is ${found.state}, so it cannot be cancelled`);
    if (found.outcome === 'unknown' && !options.evenIfUnknown) {
      throw new OutboxError(
        'outcome-unknown',
        `entry "${id}" may have been received already; cancelling cannot undo that. Give it up with { evenIfUnknown: true }, or let it be sent: the server knows its key`,
      );
    }
    const message =
      options.reason ??
      (found.outcome === 'unknown' ? 'given up; an earlier attempt may have been received' : 'cancelled');
    return bury(ledger, found, { reason: 'cancelled', message, at: now });
  });
  log(context, { event: 'cancel', id, route: entry.route });
  return entry;
}
