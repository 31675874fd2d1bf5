import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultBudgets } from '../../core/budget';
import { figuresOf, seriesOf } from './figures';
import { exponential, fixed, impatient, jitters, outbox, outOfTheBox, type SimulatedPolicy } from './policies';
import type { Outage, ScenarioChanges } from './scenario';
import { simulate } from './simulate';

const anyPolicy: fc.Arbitrary<SimulatedPolicy> = fc.constantFrom(
  impatient,
  fixed,
  outOfTheBox,
  ...jitters.flatMap((jitter) => [exponential(jitter), outbox(jitter), outbox(jitter, defaultBudgets)]),
);
const anyOutage: fc.Arbitrary<Outage> = fc.oneof(
  fc.record({
    kind: fc.constant('answers' as const),
    status: fc.constantFrom(500, 502, 503, 429),
    retryAfterMs: fc.constantFrom(0, 1_000, 45_000),
  }),
  fc.record({ kind: fc.constant('unreachable' as const), onlineHint: fc.boolean() }),
  fc.constant({ kind: 'hangs' as const }),
);
const anyScenario: fc.Arbitrary<ScenarioChanges> = fc.record({
  clients: fc.integer({ min: 1, max: 30 }),
  requestsPerClient: fc.integer({ min: 1, max: 4 }),
  outageMs: fc.integer({ min: 0, max: 90_000 }),
  outage: anyOutage,
  ordered: fc.boolean(),
  timeoutMs: fc.constantFrom(3_000, 30_000),
  horizonMs: fc.constantFrom(1_000, 1_200_000),
  server: fc.record({
    perSecond: fc.integer({ min: 1, max: 40 }),
    queue: fc.integer({ min: 1, max: 50 }),
    retryAfterMs: fc.constantFrom(null, 4_000),
  }),
});
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('a simulation', () => {
  it('is the same to the last request for the same seed', () => {
    fc.assert(
      fc.property(anyScenario, anyPolicy, fc.integer({ min: 0, max: 1_000 }), (scenario, policy, seed) => {
        expect(simulate(scenario, policy, seed)).toEqual(simulate(scenario, policy, seed));
      }),
      { numRuns: 20 },
    );
  });

  it('neither loses nor invents a request, whatever the outage, the server and the policy', () => {
    fc.assert(
      fc.property(anyScenario, anyPolicy, fc.integer({ min: 0, max: 1_000 }), (scenario, policy, seed) => {
        const run = simulate(scenario, policy, seed);
        const all = (name: keyof (typeof run.seconds)[number]) => sum(run.seconds.map((second) => second[name]));
        expect(run.made).toBe(run.scenario.clients * run.scenario.requestsPerClient);
        expect(run.delivered + run.dead + run.waiting).toBe(run.made);
        expect(run.waiting).toBeGreaterThanOrEqual(0);
        expect(run.wasted).toBe(run.attempts - run.delivered);
        expect(run.deliveredAfterMs).toHaveLength(run.delivered);
        expect(all('sent')).toBe(run.attempts);
        expect(all('arrived')).toBeLessThanOrEqual(run.attempts);
        expect(all('delivered')).toBeLessThanOrEqual(all('arrived') - all('turnedAway'));
        expect(seriesOf(run, 7).at(-1)?.waiting).toBe(run.waiting);
        expect(figuresOf(run).peakToMean).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 60 },
    );
  });
});
