import type { Context } from './context';
import type { Ledger } from './ledger';

/** How many rows of each kind one sweep forgets at most: bounded work, however much has piled up. */
const sweepMax = 200;

/**
 * Forgets what stated retention allows to forget: delivered entries after a while or beyond a number, closed dead letters
 * after a week. Open dead letters stay until somebody acts.
 */
export async function sweep(ledger: Ledger, context: Context): Promise<void> {
  const now = context.system.now();
  const { deliveredMs, deliveredMax, closedMs } = context.config.keep;
  for (const entry of await ledger.rows.finished('delivered', now - deliveredMs, sweepMax)) await ledger.remove(entry);

  const delivered = Object.values(ledger.book.subjects).reduce((sum, counts) => sum + counts.delivered, 0);
  if (delivered > deliveredMax) {
    const surplus = Math.min(delivered - deliveredMax, sweepMax);
    for (const entry of await ledger.rows.finished('delivered', Number.MAX_VALUE, surplus)) await ledger.remove(entry);
  }
  for (const entry of await ledger.rows.finished('dead', now - closedMs, sweepMax)) await ledger.remove(entry);
}
