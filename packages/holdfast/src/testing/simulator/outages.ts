import type { ScenarioChanges } from './scenario';

/**
 * The outages by which policies are compared: 1,000 clients that all notice within a second, and a server that comes back
 * cold and can do 50 requests a second.
 */
export const outages = {
  /** A deployment went wrong for a minute; the gateway in front answers 502. */
  restart: { outageMs: 60_000, outage: { kind: 'answers', status: 502 } },
  /** Overloaded for five minutes; it answers 503 and does not say for how long. */
  overload: { outageMs: 300_000, outage: { kind: 'answers', status: 503 } },
  /** Five minutes without a network, and then all browsers report `online` at once. */
  reconnect: { outageMs: 300_000, outage: { kind: 'unreachable', onlineHint: true } },
} as const satisfies Readonly<Record<string, ScenarioChanges>>;

export type OutageName = keyof typeof outages;
