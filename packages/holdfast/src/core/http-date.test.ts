import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHttpDate } from './http-date';

const now = Date.UTC(2026, 10, 30, 12, 0, 0);
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');

/** Writes a moment in each of the three forms, apart from the parser. */
function written(ms: number): { imf: string; rfc850: string; asctime: string } {
  const at = new Date(ms);
  const day = DAYS[at.getUTCDay()] ?? '';
  const month = MONTHS[at.getUTCMonth()] ?? '';
  const year = String(at.getUTCFullYear()).padStart(4, '0');
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(':');
  const date = at.getUTCDate();
  return {
    imf: `${day.slice(0, 3)}, ${two(date)} ${month} ${year} ${time} GMT`,
    rfc850: `${day}, ${two(date)}-${month}-${year.slice(2)} ${time} GMT`,
    asctime: `${day.slice(0, 3)} ${month} ${String(date).padStart(2, ' ')} ${time} ${year}`,
  };
}

const seconds = (from: number, to: number): fc.Arbitrary<number> =>
  fc.integer({ min: from / 1000, max: to / 1000 }).map((second) => second * 1000);

describe('parseHttpDate', () => {
  it('reads the three forms of the RFC as the same moment, always in UTC', () => {
    const at = Date.UTC(1994, 10, 6, 8, 49, 37);
    expect(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT', now)).toBe(at);
    expect(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT', now)).toBe(at);
    expect(parseHttpDate('Sun Nov  6 08:49:37 1994', now)).toBe(at);
  });

  it('gives back every second of the years 0 to 9999 from the forms that carry four digits', () => {
    const from = new Date(0).setUTCFullYear(0, 0, 1);
    const to = Date.UTC(9999, 11, 31, 23, 59, 59);
    fc.assert(
      fc.property(seconds(from, to), (ms) => {
        expect(parseHttpDate(written(ms).imf, now)).toBe(ms);
        expect(parseHttpDate(written(ms).asctime, now)).toBe(ms);
      }),
    );
  });

  it('gives back every second of the last and the next fifty years from two digits, whatever the present is', () => {
    fc.assert(
      fc.property(seconds(0, Date.UTC(2300, 0, 1)), fc.integer({ min: -49 * 365, max: 49 * 365 }), (present, days) => {
        const ms = present + days * 86_400_000;
        expect(parseHttpDate(written(ms).rfc850, present)).toBe(ms);
      }),
    );
  });

  it('takes two digits for the future up to fifty years ahead, and for the past beyond', () => {
    expect(parseHttpDate('Monday, 30-Nov-76 12:00:00 GMT', now)).toBe(Date.UTC(2076, 10, 30, 12));
    expect(parseHttpDate('Monday, 30-Nov-76 12:00:01 GMT', now)).toBe(Date.UTC(1976, 10, 30, 12, 0, 1));
    // Late in a century the next one is near.
    expect(parseHttpDate('Monday, 30-Nov-10 12:00:00 GMT', Date.UTC(2080, 0, 1))).toBe(Date.UTC(2110, 10, 30, 12));
    // Early in one, most years are of the last.
    expect(parseHttpDate('Monday, 30-Nov-99 12:00:00 GMT', Date.UTC(2001, 0, 1))).toBe(Date.UTC(1999, 10, 30, 12));
    expect(parseHttpDate('Monday, 30-Nov-52 12:00:00 GMT', Date.UTC(2001, 0, 1))).toBe(Date.UTC(1952, 10, 30, 12));
  });

  it('takes second 60 for the second after 59, and 61 for nothing', () => {
    expect(parseHttpDate('Sat, 31 Dec 2016 23:59:60 GMT', now)).toBe(Date.UTC(2017, 0, 1));
    expect(parseHttpDate('Sat, 31 Dec 2016 23:59:61 GMT', now)).toBeNull();
  });

  it.each([
    ['the last hour', 'Thu, 18 Aug 2050 23:00:00 GMT', Date.UTC(2050, 7, 18, 23)],
    ['hour 24', 'Thu, 18 Aug 2050 24:00:00 GMT', null],
    ['the last minute', 'Thu, 18 Aug 2050 02:59:18 GMT', Date.UTC(2050, 7, 18, 2, 59, 18)],
    ['minute 60', 'Thu, 18 Aug 2050 02:60:18 GMT', null],
    ['30 February', 'Wed, 30 Feb 2050 02:01:18 GMT', null],
    ['29 February of a common year', 'Tue, 29 Feb 2050 02:01:18 GMT', null],
    ['day 0', 'Thu, 00 Aug 2050 02:01:18 GMT', null],
    ['31 April', 'Thu, 31 Apr 2050 02:01:18 GMT', null],
    ['a zone other than GMT', 'Thu, 18 Aug 2050 02:01:18 UTC', null],
    ['a tail', 'Thu, 18 Aug 2050 02:01:18 GMT;x', null],
    ['a head', 'x Thu, 18 Aug 2050 02:01:18 GMT', null],
    ['a tail behind rfc850', 'Thursday, 18-Aug-50 02:01:18 GMT x', null],
    ['a head before rfc850', 'x Thursday, 18-Aug-50 02:01:18 GMT', null],
    ['a tail behind asctime', 'Thu Aug 18 02:01:18 2050 GMT', null],
    ['a head before asctime', 'x Thu Aug 18 02:01:18 2050', null],
    ['asctime with a zero before the day', 'Sat Aug 06 02:01:18 2050', Date.UTC(2050, 7, 6, 2, 1, 18)],
    ['asctime with one space before a one-digit day', 'Sat Aug 6 02:01:18 2050', null],
    ['asctime with three digits', 'Sat Aug 06 02:01:18 205', null],
    ['a short weekday in rfc850', 'Thu, 18-Aug-50 02:01:18 GMT', null],
    ['no such weekday', 'Xyz, 18 Aug 2050 02:01:18 GMT', null],
    ['letters of another case', 'thu, 18 AUG 2050 02:01:18 gmt', Date.UTC(2050, 7, 18, 2, 1, 18)],
    ['an ISO date', '2050-08-18T02:01:18Z', null],
    ['nothing', '', null],
  ])('%s: %s', (_what, text, ms) => {
    expect(parseHttpDate(text, now)).toBe(ms);
  });

  it.each(['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'])(
    'reads over the weekday, but knows %s as one',
    (day) => {
      expect(parseHttpDate(`${day}, 06-Nov-94 08:49:37 GMT`, now)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
      expect(parseHttpDate(`${day.slice(0, 3)}, 06 Nov 1994 08:49:37 GMT`, now)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
    },
  );

  it('makes null or a finite moment of any text, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
        const ms = parseHttpDate(text, now);
        expect(ms === null || Number.isFinite(ms)).toBe(true);
      }),
    );
  });
});
