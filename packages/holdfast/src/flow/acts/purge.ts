import type { Entry } from '../../core/entry';
import { log, type Context } from '../context';
import { change } from '../ledger';
import { notify } from '../notify';

/** How many one transaction forgets. */
const step = 200;

const states: readonly Entry['state'][] = ['pending', 'sending', 'dead', 'delivered'];

/**
 * Forgets everything of one subject, sent or not, and the key that sealed it. For shared devices and for people who leave: what
 * was not delivered is gone.
 * @returns how many entries were forgotten
 */
export async function purge(context: Context, subject: string): Promise<number> {
  let forgotten = 0;
  for (const state of states) {
    for (let left = step; left === step; forgotten += left) {
      const changed = await change(context.store, 'strict', async (ledger) => {
        const rows = await ledger.rows.list({ subject, state, limit: step });
        for (const entry of rows) await ledger.remove(entry);
        return rows.length;
      });
      notify(context, changed);
      left = changed.value;
    }
  }
  await change(context.store, 'strict', (ledger) => Promise.resolve(ledger.strike(subject)));
  await context.vault?.forget(subject);
  log(context, { event: 'dropped', reason: 'purge', queued: forgotten });
  return forgotten;
}
