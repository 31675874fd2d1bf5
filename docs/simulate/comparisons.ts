import {
  exponential,
  figuresOf,
  fixed,
  impatient,
  jitters,
  outages,
  outbox,
  outOfTheBox,
  rankJitters,
  type Figures,
  type JitterRank,
  type ScenarioChanges,
  type SimulatedPolicy,
  simulate,
  type Simulation,
} from '../../packages/holdfast/src/testing/index.ts';

/** One line of a table. */
export interface Line {
  readonly policy: SimulatedPolicy;
  readonly run: Simulation;
  readonly figures: Figures;
}

/** All that the page quotes. */
export interface Comparisons {
  readonly restart: readonly Line[];
  readonly overload: readonly Line[];
  readonly reconnect: readonly Line[];
  /** Many unordered writes of few clients: without a breaker each knocks for itself. */
  readonly bulk: readonly Line[];
  /** What the outbox as it comes gives up, by kind and length of the outage. */
  readonly endurance: readonly { readonly kind: string; readonly shares: readonly number[] }[];
  readonly ranks: readonly JitterRank[];
}

export const enduredMinutes = [1, 2, 5, 10];
export const seeds = [1, 2, 3];

const naive = [fixed, ...jitters.map((jitter) => exponential(jitter))];
const ours = jitters.map((jitter) => outbox(jitter));
const bulk: ScenarioChanges = {
  clients: 200,
  requestsPerClient: 10,
  ordered: false,
  outageMs: 300_000,
  outage: { kind: 'answers', status: 502 },
};
/** A share needs no thousand clients; the server is smaller by as much. */
const fewer: ScenarioChanges = { clients: 250, server: { perSecond: 12.5, queue: 25 } };
const kinds: readonly { readonly kind: string; readonly outage: ScenarioChanges['outage'] & object }[] = [
  { kind: 'a gateway answers 502', outage: { kind: 'answers', status: 502 } },
  { kind: 'it answers 503', outage: { kind: 'answers', status: 503 } },
  { kind: 'nothing is reached', outage: { kind: 'unreachable', onlineHint: false } },
];

/** Every policy through one scenario. */
export function compare(changes: ScenarioChanges, policies: readonly SimulatedPolicy[], seed = 1): Line[] {
  return policies.map((policy) => {
    const run = remembered(changes, policy, seed);
    return { policy, run, figures: figuresOf(run) };
  });
}

/** The policies of the first table. */
export const allPolicies: readonly SimulatedPolicy[] = [impatient, ...naive, ...ours];

export function compareAll(): Comparisons {
  return {
    restart: compare(outages.restart, allPolicies),
    // A loop around fetch makes hundreds of thousands of requests in five minutes; one table of it is enough.
    overload: compare(outages.overload, [...naive, ...ours]),
    reconnect: compare(outages.reconnect, [exponential('none'), exponential('equal'), ...ours]),
    bulk: compare(bulk, [exponential('equal'), outbox('equal')]),
    endurance: kinds.map(({ kind, outage }) => ({
      kind,
      shares: enduredMinutes.map(
        (minutes) => figuresOf(simulate({ ...fewer, outage, outageMs: minutes * 60_000 }, outOfTheBox)).deadShare,
      ),
    })),
    ranks: rankJitters(seeds, remembered),
  };
}

/** The ranking needs some of the runs that the tables show. */
const runs = new Map<string, Simulation>();
function remembered(changes: ScenarioChanges = {}, policy: SimulatedPolicy = outOfTheBox, seed = 1): Simulation {
  const name = JSON.stringify([changes, policy.name, Number.isFinite(policy.retry.budgets.server), seed]);
  const known = runs.get(name) ?? simulate(changes, policy, seed);
  runs.set(name, known);
  return known;
}
