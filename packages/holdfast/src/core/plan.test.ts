import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, defaultBackoff, type Jitter, longestDelayMs } from './backoff';
import { coverage, planRetries } from './plan';

const badOption = expect.objectContaining({ code: 'bad-option' }) as Error;
const dice = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
const sure: fc.Arbitrary<Jitter> = fc.oneof(
  fc.constantFrom('none' as const, 'equal' as const),
  fc.record({ ratio: fc.double({ min: 0, max: 0.5, noNaN: true }) }),
  fc.record({ addMs: fc.integer({ min: 0, max: 1_000 }) }),
);

describe('planRetries', () => {
  it('plans an hour of outage with at most five minutes of delay', () => {
    const plan = planRetries({ coverMs: 3_600_000, maxDelayMs: 300_000 });
    expect(plan.backoff).toEqual(defaultBackoff);
    const { minMs } = coverage(plan);
    expect(minMs).toBeGreaterThanOrEqual(3_600_000);
    expect(coverage({ ...plan, retries: plan.retries - 1 }).minMs).toBeLessThan(3_600_000);
  });

  it('survives every outage up to the goal, whatever the dice, and never waits longer than accepted', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 43_200_000 }),
        fc.integer({ min: 60_000, max: 3_600_000 }),
        sure,
        dice,
        (coverMs, maxDelayMs, jitter, rolls) => {
          const { backoff, retries } = planRetries({ coverMs, maxDelayMs, jitter });
          expect(longestDelayMs(backoff)).toBeLessThanOrEqual(maxDelayMs);
          let [sumMs, lastMs] = [0, backoff.baseMs];
          for (let failures = 1; failures <= retries; failures += 1) {
            lastMs = backoffMs(failures, Number(rolls.next().value), backoff, lastMs);
            expect(lastMs).toBeLessThanOrEqual(maxDelayMs);
            sumMs += lastMs;
          }
          expect(sumMs).toBeGreaterThanOrEqual(coverMs);
        },
      ),
    );
  });

  it('plans by the expected waits where jitter has no useful least one', () => {
    for (const jitter of ['full', 'decorrelated'] as const) {
      const plan = planRetries({ coverMs: 3_600_000, maxDelayMs: 300_000, jitter });
      expect(coverage(plan).expectedMs).toBeGreaterThanOrEqual(3_600_000);
      expect(coverage({ ...plan, retries: plan.retries - 1 }).expectedMs).toBeLessThan(3_600_000);
    }
  });

  it('needs no retry to cover no outage', () => {
    expect(planRetries({ coverMs: 0, maxDelayMs: 1_000 }).retries).toBe(0);
  });

  it('starts sooner than usual when even the usual first wait is too long', () => {
    expect(planRetries({ coverMs: 5_000, maxDelayMs: 700, jitter: 'none' })).toEqual({
      backoff: { baseMs: 700, factor: 2, capMs: 700, jitter: 'none' },
      retries: 8,
    });
  });

  it('says which goal is out of range', () => {
    expect(() => planRetries({ coverMs: -1, maxDelayMs: 1_000 })).toThrow(
      'coverMs must be 0 or more milliseconds, got -1',
    );
    for (const maxDelayMs of [0, 0.5, Infinity, NaN]) {
      const message = `maxDelayMs must leave 1 or more milliseconds to wait, got ${maxDelayMs}`;
      expect(() => planRetries({ coverMs: 1, maxDelayMs })).toThrow(message);
    }
    expect(() => coverage({ backoff: defaultBackoff, retries: -1 })).toThrow(
      'retries must be a whole number from 0 to 10000, got -1',
    );
  });

  it.each([
    { coverMs: -1, maxDelayMs: 1_000 },
    { coverMs: NaN, maxDelayMs: 1_000 },
    { coverMs: Infinity, maxDelayMs: 1_000 },
    { coverMs: 1, maxDelayMs: 0 },
    { coverMs: 1, maxDelayMs: NaN },
    { coverMs: 1, maxDelayMs: Infinity },
    { coverMs: 1, maxDelayMs: 500, jitter: { addMs: 500 } },
    { coverMs: 1, maxDelayMs: 500, jitter: { ratio: 2 } },
  ])('refuses the goal %j', (goal) => {
    expect(() => planRetries(goal)).toThrow(badOption);
  });

  it('refuses a plan of endlessly many attempts, in words', () => {
    expect(planRetries({ coverMs: 10_000, maxDelayMs: 1, jitter: 'none' }).retries).toBe(10_000);
    const goal = { coverMs: 10_001, maxDelayMs: 1, jitter: 'none' } as const;
    expect(() => planRetries(goal)).toThrow(badOption);
    expect(() => planRetries(goal)).toThrow(
      'covering 10 seconds with waits of at most 1 millisecond takes more than 10000',
    );
  });

  it('refuses jitter that leaves no wait to count on', () => {
    expect(() => planRetries({ coverMs: 1, maxDelayMs: 1_000, jitter: { ratio: 1 } })).toThrow(badOption);
  });
});

describe('coverage', () => {
  it('tells in numbers what a policy covers', () => {
    expect(coverage({ backoff: defaultBackoff, retries: 8 })).toMatchObject({
      attempts: 9,
      minMs: 255_000,
      expectedMs: 382_500,
      maxMs: 510_000,
      longestWaitMs: 256_000,
    });
  });

  it('tells the same in one sentence', () => {
    expect(coverage({ backoff: defaultBackoff, retries: 8 }).sentence).toBe(
      '9 attempts over about 6.4 minutes: an outage of up to 4.3 minutes is surely survived, none of more than ' +
        '8.5 minutes, and the next attempt is never more than 4.3 minutes away.',
    );
    expect(coverage({ backoff: { ...defaultBackoff, jitter: 'full' }, retries: 2 }).sentence).toBe(
      '3 attempts over about 3 seconds: no outage is surely survived, none of more than 6 seconds, and the next ' +
        'attempt is never more than 4 seconds away.',
    );
    expect(coverage({ backoff: defaultBackoff, retries: 0 }).sentence).toBe(
      'One attempt and no other: no outage is survived.',
    );
  });

  it('bounds every run of the dice, and its mean is near the expected', () => {
    const jitters: Jitter[] = ['none', 'full', 'equal', 'decorrelated', { ratio: 0.2 }, { addMs: 500 }];
    // A fixed sequence of dice (xorshift32): the figure must not depend on luck.
    let seed = 42;
    const roll = (): number => {
      seed ^= seed << 13;
      seed ^= seed >>> 17;
      seed ^= seed << 5;
      return (seed >>> 0) / 2 ** 32;
    };
    for (const jitter of jitters) {
      const backoff = { ...defaultBackoff, jitter };
      const { minMs, expectedMs, maxMs } = coverage({ backoff, retries: 12 });
      let totalMs = 0;
      for (let run = 0; run < 2_000; run += 1) {
        let [sumMs, lastMs] = [0, backoff.baseMs];
        for (let failures = 1; failures <= 12; failures += 1) {
          lastMs = backoffMs(failures, roll(), backoff, lastMs);
          sumMs += lastMs;
        }
        expect(sumMs).toBeGreaterThanOrEqual(minMs);
        expect(sumMs).toBeLessThanOrEqual(maxMs);
        totalMs += sumMs;
      }
      const mean = totalMs / 2_000;
      expect(expectedMs / mean).toBeGreaterThan(0.98);
      expect(expectedMs / mean).toBeLessThan(1.02);
    }
  });

  it.each([-1, 1.5, NaN, Infinity, 10_001])('refuses %s retries', (retries) => {
    expect(() => coverage({ backoff: defaultBackoff, retries })).toThrow(badOption);
  });

  it('takes the most retries a plan can have', () => {
    expect(coverage({ backoff: { ...defaultBackoff, capMs: 2_000 }, retries: 10_000 }).attempts).toBe(10_001);
  });
});
