import { clockIsTrusted } from '../core/clock';
import type { State } from '../core/entry';
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
  // After a leap of the clock nobody knows what is old.
  if (clockIsTrusted(ledger.gates.clock, now)) {
    await forget(ledger, 'delivered', now - deliveredMs);
    await forget(ledger, 'dead', now - closedMs);
  }
  const delivered = Object.values(ledger.book.subjects).reduce((sum, counts) => sum + counts.delivered, 0);
  const surplus = Math.min(delivered - deliveredMax, sweepMax);
  if (surplus > 0) await forget(ledger, 'delivered', Number.MAX_VALUE, surplus);
}

async function forget(ledger: Ledger, state: State, until: number, limit = sweepMax): Promise<void> {
  for (const entry of await ledger.rows.finished(state, until, limit)) await ledger.remove(entry);
}
