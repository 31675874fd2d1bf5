import type { OutboxConfig, Route } from '../core/options';

/** How long a queue keeps a request unless told otherwise, in minutes: 7 days, as in Workbox. */
export const defaultRetentionMinutes = 7 * 24 * 60;

/**
 * How these queues try again. Workbox has no limit but `maxRetentionTime`, so being unable to reach a server never ends a
 * request here either. A server that answers 5xx or 429 is asked for at least a day (`coverage` of 200 retries); after that the
 * request goes to the dead letters, and those behind it get their turn.
 */
const retry: NonNullable<OutboxConfig['retry']> = {
  backoff: { baseMs: 2_000, factor: 2, capMs: 900_000, jitter: 'equal' },
  budgets: { network: Infinity, timeout: Infinity, server: 200, overload: 200, 'in-progress': 200 },
};

/**
 * The one outbox in which all queues of this drop-in live. In a page, `openOutbox(workboxOutbox)` gives the client that
 * `<outbox-panel>` and `stats()` need; in the worker, the first `Queue` opens it.
 */
export const workboxOutbox: OutboxConfig = { name: 'workbox', routes: [routeOf('workbox')], retry };

/** The route of one queue: its name in statistics, its lane, and what its answers mean. */
export function routeOfQueue(queue: string, exact = false): Route {
  const name = laneOfQueue(queue);
  return { ...routeOf(name), lane: name, ...(exact && { classify: () => 'delivered' as const }) };
}

/** Which requests are queued, Workbox's routing has decided: whatever is in a queue may be sent. */
function routeOf(name: string): Route {
  return {
    name,
    match: () => true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    // A queue that was offline for a week must not stop before a person: servers of Workbox apps know no keys anyway.
    keyRetentionMs: Infinity,
    // Workbox apps answer POST with a redirect as they please, and it always counted as done.
    redirects: 'accept',
  };
}

/** A queue's lane. Names of lanes and routes stand on one line; those of queues may have more. */
export function laneOfQueue(name: string): string {
  return name.replace(/[\r\n]+/g, ' ');
}
