import { describe, expect, it } from 'vitest';
import { parseRateLimit, rateLimitWaitMs } from './rate-limit';

describe('parseRateLimit', () => {
  it('reads every quota of the list', () => {
    expect(parseRateLimit('"permin";r=0;t=12, "perhr";r=500;t=900;pk=:dHJpYWwxMjEzMjM=:')).toEqual([
      { p: 'permin', r: 0, t: 12 },
      { p: 'perhr', r: 500, t: 900 },
    ]);
  });

  it.each([
    ['no r', '"a";t=5', []],
    ['a negative r', '"a";r=-1;t=5', []],
    ['a fractional r', '"a";r=1.5', []],
    ['an r that is a date', '"a";r=@5', []],
    ['a name that is a token', 'a;r=1', []],
    ['a list for a name', '("a");r=1', []],
    ['a negative t', '"a";r=1;t=-5', [{ p: 'a', r: 1 }]],
    ['a t of 0', '"a";r=0;t=0', [{ p: 'a', r: 0, t: 0 }]],
    ['a useless member beside a good one', 'a;r=1, "b";r=2', [{ p: 'b', r: 2 }]],
    ['the dictionary of older drafts', 'limit=100, remaining=50, reset=30', []],
    ['a broken field', '"a";r=1,', []],
  ])('with %s', (_what, field, limits) => {
    expect(parseRateLimit(field)).toEqual(limits);
  });
});

describe('rateLimitWaitMs', () => {
  it('waits for the last of the quotas that are used up', () => {
    expect(rateLimitWaitMs(parseRateLimit('"a";r=0;t=12, "b";r=0;t=40, "c";r=1;t=900'))).toBe(40_000);
    expect(rateLimitWaitMs([{ p: 'a', r: 0, t: 0 }])).toBe(0);
  });

  it('asks for nothing when none is used up or none says when', () => {
    expect(rateLimitWaitMs([{ p: 'a', r: 1, t: 12 }])).toBeNull();
    expect(rateLimitWaitMs([{ p: 'a', r: 0 }])).toBeNull();
    expect(rateLimitWaitMs([])).toBeNull();
  });
});
