import type { Context } from '../flow/context';
import { change } from '../flow/ledger';
import { notify } from '../flow/notify';
import { laneOfQueue } from './policy';

/** Shown to people beside what waits in such a queue. */
export const sentByApp = "the app's own onSync sends these";

/**
 * Entries of a queue with an `onSync` of its own are the app's to send: the outbox holds them back, whoever drains it. A
 * queue that lost its `onSync` in a new release is set free.
 */
export async function reserve(
  context: Context,
  queues: readonly { readonly name: string; readonly ownSync: boolean }[],
): Promise<void> {
  const changed = await change(context.store, 'strict', async (ledger) => {
    const routes = { ...ledger.gates.routes };
    let differs = false;
    for (const { name, ownSync } of queues) {
      const route = laneOfQueue(name);
      const reserved = routes[route]?.why === sentByApp;
      if (ownSync && !routes[route]) routes[route] = { until: null, why: sentByApp };
      else if (!ownSync && reserved) delete routes[route];
      else continue;
      differs = true;
    }
    if (differs) ledger.setGates({ ...ledger.gates, routes });
  });
  notify(context, changed);
}
