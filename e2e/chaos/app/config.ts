import { defineOutbox } from 'holdfast';

const many = 1_000;

/** Three kinds of routes, lanes in two of them. Waits are short, since a run has minutes and not days. */
export const config = defineOutbox({
  name: 'chaos',
  routes: [
    { name: 'keep', match: '/api/keep/:lane', lane: 'keep-:lane', timeoutMs: 2_000 },
    { name: 'ahead', match: '/api/ahead/:lane', lane: 'ahead-:lane', capture: 'write-ahead', timeoutMs: 2_000 },
    { name: 'loose', match: '/api/loose', lane: null, timeoutMs: 2_000 },
  ],
  // What was delivered stays, so that a delivery the ledger knows nothing of can be looked into.
  keep: { deliveredMs: 365 * 86_400_000, deliveredMax: 1_000_000 },
  retry: {
    backoff: { baseMs: 200, factor: 2, capMs: 2_000, jitter: 'equal' },
    // A run is a storm without end; what it is about is not when to give up.
    budgets: { network: many, timeout: many, server: many, overload: many, 'in-progress': many },
  },
});
