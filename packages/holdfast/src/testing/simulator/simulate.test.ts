import { describe, expect, it } from 'vitest';
import { defaultBudgets } from '../../core/budget';
import { defaultBackoff } from '../../core/backoff';
import { figuresOf } from './figures';
import { exponential, fixed, impatient, jitters, outbox, outOfTheBox } from './policies';
import type { ScenarioChanges } from './scenario';
import { simulate } from './simulate';

/** A twentieth of the usual clients, and of the server. */
const few: ScenarioChanges = { clients: 50, server: { perSecond: 3, queue: 5 } };
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('a simulation', () => {
  it('is the same for the same seed, and another for another one', () => {
    expect(simulate(few, outOfTheBox, 1)).toEqual(simulate(few, outOfTheBox, 1));
    expect(simulate(few, outOfTheBox, 1).seconds).not.toEqual(simulate(few, outOfTheBox, 2).seconds);
  });

  it('delivers everything in the end when nothing is given up', () => {
    for (const policy of [
      fixed,
      ...jitters.map((jitter) => exponential(jitter)),
      ...jitters.map((jitter) => outbox(jitter)),
    ]) {
      expect(simulate(few, policy)).toMatchObject({ made: 100, delivered: 100, dead: 0, waiting: 0 });
    }
  });

  it('delivers no faster than the server can work, but for what the network bunches', () => {
    const { seconds } = simulate({ ...few, firstWithinMs: 0 }, fixed);
    expect(Math.max(...seconds.map(({ delivered }) => delivered))).toBeLessThanOrEqual(5);
  });

  it('sends the writes of a client one after another where they are ordered, and side by side where they are not', () => {
    const one = { clients: 1, requestsPerClient: 4, outageMs: 0, roundTripMs: 1_000, server: { coldShare: 1 } };
    const [ordered, free] = [true, false].map((ordered) => simulate({ ...one, ordered }, outOfTheBox).deliveredAfterMs);
    // Two slots of three: one is kept for urgent writes.
    expect((free?.at(-1) ?? 0) < (ordered?.at(-1) ?? 0) * 0.7).toBe(true);
  });

  it('refuses a scenario that is out of range and says what is allowed', () => {
    expect(() => simulate({ clients: 0 })).toThrow(/clients must be a whole number from 1, got 0/);
    expect(() => simulate({ outageMs: -1 })).toThrow(/outageMs must be 0 or more milliseconds/);
    expect(() => simulate({ timeoutMs: 0 })).toThrow(/timeoutMs/);
    expect(() => simulate({ server: { perSecond: 0 } })).toThrow(/server\.perSecond must be more than 0/);
    expect(() => simulate({ server: { coldShare: 0 } })).toThrow(/server\.coldShare/);
    expect(() => simulate({ server: { turnAwayShare: 2 } })).toThrow(/server\.turnAwayShare/);
  });
});

describe('simulated clients', () => {
  it('give nothing up while nothing reaches a server, however long', () => {
    const run = simulate({ ...few, outageMs: 3_600_000, outage: { kind: 'unreachable', onlineHint: false } });
    expect(sum(run.seconds.slice(0, run.backAt).map(({ died }) => died))).toBe(0);
  });

  it('stay away as long as they are asked to', () => {
    const outage = { kind: 'answers', status: 503, retryAfterMs: 40_000 } as const;
    const { seconds } = simulate({ ...few, outage, requestsPerClient: 1 });
    expect(sum(seconds.slice(0, 2).map(({ sent }) => sent))).toBe(50);
    expect(sum(seconds.slice(2, 40).map(({ sent }) => sent))).toBe(0);
  });

  it('of other make do not stay away, whatever they are asked', () => {
    const outage = { kind: 'answers', status: 503, retryAfterMs: 40_000 } as const;
    const { seconds } = simulate({ ...few, outage, requestsPerClient: 1 }, fixed);
    expect(sum(seconds.slice(2, 40).map(({ sent }) => sent))).toBeGreaterThan(50 * 6);
  });

  it('send all that waits soon after their probe has shown that the server is back', () => {
    const pair = { clients: 1, requestsPerClient: 2, ordered: false, outageMs: 300_000 };
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const { deliveredAfterMs } = simulate(pair, outbox('equal'), seed);
      expect((deliveredAfterMs.at(-1) ?? Infinity) - (deliveredAfterMs[0] ?? 0)).toBeLessThan(5_000);
    }
  });

  it('that are spread by jitter never come in such a crowd as those that march in step', () => {
    const peaks = (['none', 'equal'] as const).map((jitter) => figuresOf(simulate(few, outbox(jitter))).peak);
    expect(peaks[1]).toBeLessThan((peaks[0] ?? 0) / 2);
  });

  it('that know a failing origin leave it alone with all they have', () => {
    const bulk = { clients: 10, requestsPerClient: 20, ordered: false, outageMs: 120_000 };
    const [naive, knowing] = [exponential('equal'), outbox('equal')].map((policy) => simulate(bulk, policy).wasted);
    expect(knowing).toBeLessThan((naive ?? 0) / 3);
  });

  it('waste far less than a loop around fetch', () => {
    expect(simulate(few, outOfTheBox).wasted).toBeLessThan(simulate(few, impatient).wasted / 5);
  });

  it('are this outbox as it comes when no policy is given', () => {
    expect(simulate(few).policy).toBe(outOfTheBox);
    expect(outOfTheBox.retry).toEqual({ backoff: defaultBackoff, budgets: defaultBudgets });
  });
});
