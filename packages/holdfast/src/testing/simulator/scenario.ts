import { OutboxError } from '../../core/errors';

/** What a request meets while the server is down. */
export type Outage =
  /** Something in front of the server answers with this status, and perhaps a `Retry-After` in milliseconds. */
  | { readonly kind: 'answers'; readonly status: number; readonly retryAfterMs?: number }
  /** Fetch rejects; `onlineHint`: at the end every browser reports `online`, within two seconds. */
  | { readonly kind: 'unreachable'; readonly onlineHint: boolean }
  /** Nothing ever comes back. */
  | { readonly kind: 'hangs' };

export interface Scenario {
  /** Browsers with an outbox. @default 1_000 */
  readonly clients: number;
  /** Writes of each: the first when the outage begins, the others spread over it. @default 2 */
  readonly requestsPerClient: number;
  /** How long the server is down, in milliseconds. @default 60_000 (a minute) */
  readonly outageMs: number;
  /** @default { kind: 'answers', status: 502 } */
  readonly outage: Outage;
  /** All first writes fall into so many milliseconds: the closer, the more the clients march in step. @default 1_000 */
  readonly firstWithinMs: number;
  /** The mean time to the server and back, in milliseconds; each attempt takes between half and one and a half of it. @default 250 */
  readonly roundTripMs: number;
  /** The client's own deadline for an attempt, in milliseconds. @default 30_000 */
  readonly timeoutMs: number;
  /** One lane per client, so that its writes go one after another; otherwise each goes for itself. @default true */
  readonly ordered: boolean;
  /** The simulation ends so many milliseconds after the outage, drained or not. @default 3_600_000 (an hour) */
  readonly horizonMs: number;
  readonly server: ServerCapacity;
}

/** What the server can do once it is back. */
export interface ServerCapacity {
  /** Requests a second when warm. @default 50 */
  readonly perSecond: number;
  /** How many wait inside; more are turned away with 503. @default 100 */
  readonly queue: number;
  /** The share of its capacity that it has at first, in (0, 1]: caches and pools are cold. @default 0.2 */
  readonly coldShare: number;
  /** How long it takes to get warm, evenly, in milliseconds. @default 30_000 */
  readonly warmUpMs: number;
  /** What turning one away, or repeating a known answer, costs of a served request, in [0, 1]. @default 0.01 */
  readonly turnAwayShare: number;
  /** `Retry-After` with which it turns away, in milliseconds, rounded up to seconds; null for none. @default null */
  readonly retryAfterMs: number | null;
}

export const defaultServerCapacity: ServerCapacity = {
  perSecond: 50,
  queue: 100,
  coldShare: 0.2,
  warmUpMs: 30_000,
  turnAwayShare: 0.01,
  retryAfterMs: null,
};

export const defaultScenario: Scenario = {
  clients: 1_000,
  requestsPerClient: 2,
  outageMs: 60_000,
  outage: { kind: 'answers', status: 502 },
  firstWithinMs: 1_000,
  roundTripMs: 250,
  timeoutMs: 30_000,
  ordered: true,
  horizonMs: 3_600_000,
  server: defaultServerCapacity,
};

/** What differs from the default scenario. */
export type ScenarioChanges = Partial<Omit<Scenario, 'server'>> & { readonly server?: Partial<ServerCapacity> };

/** The given changes over the defaults. @throws OutboxError `bad-option` naming the option and its range */
export function scenarioFrom(changes: ScenarioChanges = {}): Scenario {
  const scenario = { ...defaultScenario, ...changes, server: { ...defaultServerCapacity, ...changes.server } };
  const { server } = scenario;
  const must = (name: string, value: number, holds: boolean, allowed: string): void => {
    if (!holds) throw new OutboxError('bad-option', `${name} must be ${allowed}, got ${value}`);
  };
  for (const name of ['clients', 'requestsPerClient'] as const) {
    must(name, scenario[name], Number.isInteger(scenario[name]) && scenario[name] >= 1, 'a whole number from 1');
  }
  for (const name of ['outageMs', 'firstWithinMs', 'roundTripMs', 'horizonMs'] as const) {
    must(name, scenario[name], Number.isFinite(scenario[name]) && scenario[name] >= 0, '0 or more milliseconds');
  }
  must('timeoutMs', scenario.timeoutMs, scenario.timeoutMs > 0, 'more than 0 milliseconds');
  must('server.perSecond', server.perSecond, server.perSecond > 0, 'more than 0');
  must('server.queue', server.queue, server.queue >= 1, '1 or more');
  must('server.coldShare', server.coldShare, server.coldShare > 0 && server.coldShare <= 1, 'above 0 and at most 1');
  must('server.warmUpMs', server.warmUpMs, server.warmUpMs >= 0, '0 or more milliseconds');
  must(
    'server.turnAwayShare',
    server.turnAwayShare,
    server.turnAwayShare >= 0 && server.turnAwayShare <= 1,
    'between 0 and 1',
  );
  return scenario;
}
