import type { Context } from '../context';
import { settle } from '../settle';
import { act } from './find';

/**
 * Compares the outbox with keys the server says it has done. Waiting and dead entries it knows are delivered (they are not
 * sent again); delivered ones it does not know are listed: somebody should look.
 */
export async function reconcile(
  context: Context,
  keys: readonly string[],
): Promise<{ delivered: number; missing: readonly string[] }> {
  const known = new Set(keys);
  return act(context, async (ledger, subject, now) => {
    let delivered = 0;
    for (const key of known) {
      const entry = await ledger.rows.byKey(key);
      if (!entry || entry.subject !== subject || entry.state === 'delivered') continue;
      if (entry.state === 'sending') continue; // Its own answer is on the way.
      const patch = { finishedAt: now, outcome: 'answered' as const };
      if (await settle(ledger, { entry, settlement: { move: 'deliver', patch }, holdsLane: false })) delivered += 1;
    }
    const done = await ledger.rows.list({ subject, state: 'delivered', limit: 1_000 });
    return { delivered, missing: done.filter((entry) => !known.has(entry.key)).map((entry) => entry.id) };
  });
}
