import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Backoff, backoffMs, checkBackoff, defaultBackoff, type Jitter, longestDelayMs } from './backoff';

const plain: Backoff = { ...defaultBackoff, jitter: 'none' };
const withJitter = (jitter: Jitter): Backoff => ({ ...defaultBackoff, jitter });
const badOption = expect.objectContaining({ code: 'bad-option' }) as Error;
const dice = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const anyJitter: fc.Arbitrary<Jitter> = fc.oneof(
  fc.constantFrom('none' as const, 'full' as const, 'equal' as const, 'decorrelated' as const),
  fc.record({ ratio: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ addMs: fc.integer({ min: 0, max: 100_000 }) }),
);
const anyBackoff: fc.Arbitrary<Backoff> = fc
  .record({
    baseMs: fc.integer({ min: 1, max: 100_000 }),
    factor: fc.double({ min: 1, max: 100, noNaN: true }),
    more: fc.integer({ min: 0, max: 10_000_000 }),
    jitter: anyJitter,
  })
  .map(({ baseMs, factor, more, jitter }) => ({ baseMs, factor, capMs: baseMs + more, jitter }));

describe('backoffMs', () => {
  it('doubles from two seconds to five minutes', () => {
    const waits = Array.from({ length: 10 }, (_, index) => backoffMs(index + 1, 0.5, plain));
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]);
  });

  it.each<[string, Jitter, number, number, number]>([
    ['full', 'full', 0, 4_000, 7_999],
    ['equal', 'equal', 4_000, 6_000, 7_999],
    ['ratio', { ratio: 0.2 }, 6_400, 8_000, 9_599],
    ['addMs', { addMs: 500 }, 8_000, 8_250, 8_499],
    ['none', 'none', 8_000, 8_000, 8_000],
  ])('spreads the third wait of %s jitter over its whole range', (_name, jitter, least, middle, most) => {
    const third = (roll: number): number => backoffMs(3, roll, withJitter(jitter));
    expect([third(0), third(0.5), third(1 - 1e-9)]).toEqual([least, middle, most]);
  });

  it('spreads decorrelated jitter between the base and three times the wait before', () => {
    const options = withJitter('decorrelated');
    expect(backoffMs(5, 0, options, 10_000)).toBe(2_000);
    expect(backoffMs(5, 0.5, options, 10_000)).toBe(16_000);
    expect(backoffMs(5, 1 - 1e-9, options, 10_000)).toBe(29_999);
    expect(backoffMs(1, 0.5, options)).toBe(4_000);
    expect(backoffMs(5, 0.9, options, 300_000)).toBe(300_000);
    // A last wait that a smaller base of an older config left behind never gives less than the base.
    expect(backoffMs(5, 0.9, options, 1)).toBe(2_000);
  });

  it('gives whole milliseconds between nothing and the longest wait, for all options, dice and failures', () => {
    fc.assert(
      fc.property(
        anyBackoff,
        fc.integer({ min: 1, max: 1_000_000 }),
        dice,
        fc.option(fc.integer({ min: 0, max: 1e9 }), { nil: undefined }),
        (options, failures, roll, last) => {
          const waitMs = backoffMs(failures, roll, options, last);
          expect(Number.isInteger(waitMs)).toBe(true);
          expect(waitMs).toBeGreaterThanOrEqual(0);
          expect(waitMs).toBeLessThanOrEqual(longestDelayMs(options));
        },
      ),
    );
  });

  it('never waits less after more failures, the dice being equal', () => {
    fc.assert(
      fc.property(anyBackoff, fc.integer({ min: 1, max: 200 }), dice, (options, failures, roll) => {
        expect(backoffMs(failures + 1, roll, options)).toBeGreaterThanOrEqual(backoffMs(failures, roll, options));
      }),
    );
  });

  it.each([0, -1, 1.5, NaN, Infinity])('refuses %s failures', (failures) => {
    expect(() => backoffMs(failures, 0, plain)).toThrow(badOption);
    expect(() => backoffMs(failures, 0, plain)).toThrow(`failures must be a whole number from 1, got ${failures}`);
  });

  it('refuses options out of range when it is called', () => {
    expect(() => backoffMs(1, 0, { ...plain, baseMs: 0 })).toThrow(badOption);
  });
});

describe('longestDelayMs', () => {
  it('is the cap, and what the jitter may add to it', () => {
    expect(longestDelayMs(defaultBackoff)).toBe(300_000);
    expect(longestDelayMs(withJitter({ ratio: 0.2 }))).toBe(360_000);
    expect(longestDelayMs(withJitter({ addMs: 500 }))).toBe(300_500);
  });
});

describe('checkBackoff', () => {
  it.each<[string, Partial<Backoff>, RegExp]>([
    ['a base of 0', { baseMs: 0 }, /baseMs.*1 or more.*got 0/],
    ['a base that is no number', { baseMs: NaN }, /baseMs/],
    ['an infinite base', { baseMs: Infinity, capMs: Infinity }, /baseMs/],
    ['a factor below 1', { factor: 0.9 }, /factor.*1 or more.*got 0.9/],
    ['an infinite factor', { factor: Infinity }, /factor/],
    ['a cap below the base', { capMs: 1_999 }, /capMs.*2000.*got 1999/],
    ['an infinite cap', { capMs: Infinity }, /capMs/],
    ['an unknown jitter', { jitter: 'some' as Jitter }, /none, full, equal, decorrelated.*got some/],
    ['a negative ratio', { jitter: { ratio: -0.1 } }, /ratio.*between 0 and 1/],
    ['a ratio above 1', { jitter: { ratio: 1.1 } }, /ratio/],
    ['a ratio that is no number', { jitter: { ratio: NaN } }, /ratio/],
    ['a negative addition', { jitter: { addMs: -1 } }, /addMs.*0 or more/],
    ['an infinite addition', { jitter: { addMs: Infinity } }, /addMs/],
  ])('refuses %s and says what is allowed', (_what, change, message) => {
    expect(() => checkBackoff({ ...defaultBackoff, ...change })).toThrow(badOption);
    expect(() => checkBackoff({ ...defaultBackoff, ...change })).toThrow(message);
  });

  it.each<[string, Partial<Backoff>]>([
    ['the defaults', {}],
    ['a base of 1', { baseMs: 1 }],
    ['a fixed wait', { factor: 1, capMs: 2_000 }],
    ['no jitter', { jitter: 'none' }],
    ['full jitter', { jitter: 'full' }],
    ['decorrelated jitter', { jitter: 'decorrelated' }],
    ['the least ratio', { jitter: { ratio: 0 } }],
    ['the greatest ratio', { jitter: { ratio: 1 } }],
    ['an addition of nothing', { jitter: { addMs: 0 } }],
  ])('accepts %s', (_what, change) => {
    expect(() => checkBackoff({ ...defaultBackoff, ...change })).not.toThrow();
  });
});
