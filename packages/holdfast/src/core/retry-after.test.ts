import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedWaitMs, defaultRetryAfter, parseHttpDate, parseRetryAfter, retryAfterMs } from './retry-after';

const now = Date.UTC(2026, 10, 30, 12, 0, 0);
const inHalfAMinute = 'Mon, 30 Nov 2026 12:00:30 GMT';

describe('parseRetryAfter', () => {
  it('reads digits as seconds', () => {
    expect(parseRetryAfter('120', now)).toBe(120_000);
    expect(parseRetryAfter('0', now)).toBe(0);
    expect(parseRetryAfter('007', now)).toBe(7_000);
  });

  it('reads a date in any of the three forms as the time until then, a past one as no wait', () => {
    expect(parseRetryAfter(inHalfAMinute, now)).toBe(30_000);
    expect(parseRetryAfter('Monday, 30-Nov-26 12:00:30 GMT', now)).toBe(30_000);
    expect(parseRetryAfter('Mon Nov 30 12:00:30 2026', now)).toBe(30_000);
    expect(parseRetryAfter('Fri, 31 Dec 1999 23:59:59 GMT', now)).toBe(0);
  });

  it('reads over white space around the value only', () => {
    expect(parseRetryAfter(' \t120\t ', now)).toBe(120_000);
    expect(parseRetryAfter('1 20', now)).toBeNull();
  });

  it.each([
    '-5',
    '+3',
    '1.5',
    '120junk',
    'x120',
    '1e3',
    '0x10',
    '',
    ' ',
    '5, 10',
    '"120"',
    '１２０',
    'NaN',
    'Infinity',
    '2026',
  ])('takes %j for a number of seconds only if it is all digits, never for a year', (text) => {
    expect(parseRetryAfter(text, now)).toBe(text === '2026' ? 2_026_000 : null);
  });

  it('keeps the most absurd number finite and positive', () => {
    expect(parseRetryAfter('9'.repeat(400), now)).toBe(Number.MAX_SAFE_INTEGER);
    expect(parseRetryAfter('9'.repeat(20), now)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('is exact for every number of seconds up to a century', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_155_760_000 }), (seconds) => {
        expect(parseRetryAfter(String(seconds), now)).toBe(seconds * 1000);
      }),
    );
  });

  it('is never negative, NaN or infinite', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 4e12 }), (text, at) => {
        const ms = parseRetryAfter(text, at);
        expect(ms === null || (Number.isFinite(ms) && ms >= 0)).toBe(true);
      }),
    );
  });

  it('offers parseHttpDate beside it', () => {
    expect(parseHttpDate(inHalfAMinute, now)).toBe(now + 30_000);
  });
});

describe('retryAfterMs', () => {
  it('asks for nothing when the field is absent or junk', () => {
    expect(retryAfterMs([], now)).toBeNull();
    expect(retryAfterMs([['Retry-After', 'soon']], now)).toBeNull();
    expect(
      retryAfterMs(
        [
          ['Retry-After', '5'],
          ['Retry-After', '10'],
        ],
        now,
      ),
    ).toBeNull();
  });

  it('measures a date against the answer’s own Date, however wrong our clock is', () => {
    const headers = [
      ['date', 'Mon, 30 Nov 2026 12:00:00 GMT'],
      ['RETRY-AFTER', inHalfAMinute],
    ] as const;
    for (const skewMs of [0, -3 * 86_400_000, 10 * 86_400_000, -3_600_000]) {
      expect(retryAfterMs(headers, now + skewMs)).toBe(30_000);
    }
  });

  it('falls back to our clock when the answer has no usable Date', () => {
    expect(retryAfterMs([['retry-after', inHalfAMinute]], now)).toBe(30_000);
    expect(
      retryAfterMs(
        [
          ['retry-after', inHalfAMinute],
          ['date', 'yesterday'],
        ],
        now,
      ),
    ).toBe(30_000);
  });

  it('does not let a wrong Date change a number of seconds', () => {
    expect(
      retryAfterMs(
        [
          ['retry-after', '30'],
          ['date', 'Thu, 01 Jan 1970 00:00:00 GMT'],
        ],
        now,
      ),
    ).toBe(30_000);
  });

  it('never waits longer than the limit, and the limit may be 0', () => {
    expect(retryAfterMs([['retry-after', '1796040030']], now)).toBe(86_400_000);
    expect(retryAfterMs([['retry-after', '60']], now, { maxMs: 5_000 })).toBe(5_000);
    expect(retryAfterMs([['retry-after', '60']], now, { maxMs: 0 })).toBe(0);
  });

  it('refuses a limit that is no duration', () => {
    for (const maxMs of [-1, NaN]) {
      expect(() => retryAfterMs([], now, { maxMs })).toThrow(`maxMs must be 0 or more milliseconds, got ${maxMs}`);
      expect(() => retryAfterMs([], now, { maxMs })).toThrow(expect.objectContaining({ code: 'bad-option' }));
    }
  });

  it('has the defaults its documentation states', () => {
    expect(defaultRetryAfter).toEqual({ maxMs: 86_400_000 });
  });
});

describe('askedWaitMs', () => {
  const exhausted = ['RateLimit', '"permin";r=0;t=12'] as const;

  it('goes by Retry-After first, then by a quota that is used up', () => {
    expect(askedWaitMs([['retry-after', '3'], exhausted], now)).toBe(3_000);
    expect(askedWaitMs([['retry-after', '0'], exhausted], now)).toBe(0);
    expect(askedWaitMs([exhausted], now)).toBe(12_000);
    expect(askedWaitMs([['retry-after', 'junk'], exhausted], now)).toBe(12_000);
  });

  it('asks for nothing when quotas are left or nothing is said', () => {
    expect(askedWaitMs([['ratelimit', '"permin";r=1;t=12']], now)).toBeNull();
    expect(askedWaitMs([], now)).toBeNull();
  });

  it('clamps a quota as it clamps Retry-After', () => {
    expect(askedWaitMs([['ratelimit', '"a";r=0;t=999999999']], now)).toBe(86_400_000);
    expect(askedWaitMs([['ratelimit', '"a";r=0;t=12']], now, { maxMs: 5_000 })).toBe(5_000);
  });
});
