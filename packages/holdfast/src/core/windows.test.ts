import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkWindows, openAgainAt, type Window } from './windows';

const at = (text: string): number => Date.parse(text);
const noon = at('2026-11-30T12:00:00Z'); // a Monday
const badOption = expect.objectContaining({ code: 'bad-option' }) as Error;

describe('a window once', () => {
  it('is shut from its beginning to before its end', () => {
    const windows: Window[] = [{ from: noon, to: noon + 1_000 }];
    expect(openAgainAt(windows, noon - 1)).toBeNull();
    expect(openAgainAt(windows, noon)).toBe(noon + 1_000);
    expect(openAgainAt(windows, noon + 999)).toBe(noon + 1_000);
    expect(openAgainAt(windows, noon + 1_000)).toBeNull();
  });
});

describe('a window again and again', () => {
  it('is shut every day between its times, in UTC where nothing else is said', () => {
    const windows: Window[] = [{ start: '11:30', end: '12:30' }];
    expect(openAgainAt(windows, noon)).toBe(noon + 1_800_000);
    expect(openAgainAt(windows, noon + 5 * 86_400_000)).toBe(noon + 5 * 86_400_000 + 1_800_000);
    expect(openAgainAt(windows, noon - 1_800_001)).toBeNull();
    expect(openAgainAt(windows, noon - 1_800_000)).toBe(noon + 1_800_000);
    expect(openAgainAt(windows, noon + 1_800_000)).toBeNull();
    expect(openAgainAt(windows, noon + 1_799_999)).toBe(noon + 1_800_000);
  });

  it('runs over midnight, and belongs to the day on which it starts', () => {
    const windows: Window[] = [{ start: '23:00', end: '01:00', days: ['sun'] }];
    expect(openAgainAt(windows, at('2026-11-29T23:30:00Z'))).toBe(at('2026-11-30T01:00:00Z'));
    expect(openAgainAt(windows, at('2026-11-30T00:59:59Z'))).toBe(at('2026-11-30T01:00:00Z'));
    expect(openAgainAt(windows, at('2026-11-30T23:30:00Z'))).toBeNull();
    expect(openAgainAt(windows, at('2026-11-29T00:30:00Z'))).toBeNull();
  });

  it('with equal times is the whole day', () => {
    const windows: Window[] = [{ start: '06:00', end: '06:00', days: ['mon'] }];
    expect(openAgainAt(windows, noon)).toBe(at('2026-12-01T06:00:00Z'));
    expect(openAgainAt(windows, at('2026-11-30T05:59:59Z'))).toBeNull();
  });

  it.each(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const)('knows %s', (day) => {
    const shut = Array.from({ length: 7 }, (_, index) => noon + index * 86_400_000).filter(
      (moment) => openAgainAt([{ start: '11:00', end: '13:00', days: [day] }], moment) !== null,
    );
    const weekday = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].indexOf(day);
    expect(shut.map((moment) => new Date(moment).getUTCDay())).toEqual([weekday]);
  });

  it('goes by the clock on the target’s wall, east and west', () => {
    // 04:00 in New York is 09:00 UTC in winter and 08:00 in summer.
    const windows: Window[] = [{ start: '04:00', end: '05:00', timeZone: 'America/New_York' }];
    expect(openAgainAt(windows, at('2026-12-01T09:30:00Z'))).toBe(at('2026-12-01T10:00:00Z'));
    expect(openAgainAt(windows, at('2026-07-01T08:30:00Z'))).toBe(at('2026-07-01T09:00:00Z'));
    expect(openAgainAt(windows, at('2026-07-01T09:30:00Z'))).toBeNull();
    const tokyo: Window[] = [{ start: '00:00', end: '01:00', days: ['tue'], timeZone: 'Asia/Tokyo' }];
    expect(openAgainAt(tokyo, at('2026-11-30T15:30:00Z'))).toBe(at('2026-11-30T16:00:00Z'));
  });

  it('keeps its end over the change to and from daylight saving', () => {
    const berlin: Window[] = [{ start: '01:00', end: '05:00', timeZone: 'Europe/Berlin' }];
    // 29 March 2026: 02:00 CET becomes 03:00 CEST; 05:00 CEST is 03:00 UTC.
    expect(openAgainAt(berlin, at('2026-03-29T00:30:00Z'))).toBe(at('2026-03-29T03:00:00Z'));
    // 25 October 2026: 03:00 CEST becomes 02:00 CET; 05:00 CET is 04:00 UTC.
    expect(openAgainAt(berlin, at('2026-10-24T23:30:00Z'))).toBe(at('2026-10-25T04:00:00Z'));
  });

  it('with an end that daylight saving skips is over within the hour', () => {
    const skipped: Window[] = [{ start: '01:00', end: '02:30', timeZone: 'Europe/Berlin' }];
    const end = openAgainAt(skipped, at('2026-03-29T00:30:00Z'));
    expect(end).toBeGreaterThanOrEqual(at('2026-03-29T00:30:00Z'));
    expect(end).toBeLessThanOrEqual(at('2026-03-29T01:30:00Z'));
  });

  it('keeps milliseconds out of its end', () => {
    const windows: Window[] = [{ start: '12:00', end: '13:00', timeZone: 'Europe/London' }];
    expect(openAgainAt(windows, noon + 123)).toBe(noon + 3_600_000);
  });
});

describe('several windows', () => {
  it('that follow on each other are one', () => {
    const windows: Window[] = [
      { from: noon + 1_800_000, to: noon + 5_400_000 },
      { start: '11:30', end: '12:30' },
      { start: '13:30', end: '14:00' },
      { start: '20:00', end: '21:00' },
    ];
    expect(openAgainAt(windows, noon)).toBe(at('2026-11-30T14:00:00Z'));
  });

  it('that leave no gap at all still give a moment to look again', () => {
    const windows: Window[] = [{ start: '00:00', end: '00:00' }];
    expect(openAgainAt(windows, noon)).toBe(at('2026-12-01T00:00:00Z') + 99 * 86_400_000);
  });

  it('hold nobody up where there are none', () => {
    expect(openAgainAt([], noon)).toBeNull();
  });

  it('always end after now, and are open at their end', () => {
    const time = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe');
    const window = fc.record({ start: time, end: time, timeZone: zone });
    fc.assert(
      fc.property(window, fc.integer({ min: 0, max: 4e9 }), (one, second) => {
        const now = second * 1_000;
        const end = openAgainAt([one], now);
        if (end === null || one.start === one.end) return;
        expect(end).toBeGreaterThan(now);
        // A day, an hour for daylight saving, and the hundred links of a window that touches itself over the change.
        expect(end - now).toBeLessThanOrEqual(100 * 25 * 3_600_000);
        expect(openAgainAt([one], end)).toBeNull();
      }),
    );
  });
});

describe('checkWindows', () => {
  it('accepts what a window can be', () => {
    expect(() =>
      checkWindows([
        { from: 0, to: 1 },
        { start: '00:00', end: '23:59' },
        { start: '19:30', end: '20:00', days: ['sat', 'sun'], timeZone: 'Europe/Berlin' },
      ]),
    ).not.toThrow();
  });

  it.each<[string, Window, RegExp]>([
    ['no length', { from: 5, to: 5 }, /from before to.*got 5 and 5/],
    ['no beginning', { from: NaN, to: 5 }, /from before to/],
    ['no end', { from: 5, to: Infinity }, /from before to/],
    ['hour 24', { start: '24:00', end: '01:00' }, /HH:MM.*got 24:00/],
    ['minute 60', { start: '01:00', end: '01:60' }, /HH:MM.*got 01:60/],
    ['one digit', { start: '1:00', end: '02:00' }, /HH:MM/],
    ['a tail', { start: '01:00', end: '02:00x' }, /HH:MM/],
    ['a head', { start: 'x01:00', end: '02:00' }, /HH:MM/],
    ['no day', { start: '01:00', end: '02:00', days: [] }, /days are some of sun, mon/],
    ['no such day', { start: '01:00', end: '02:00', days: ['mon', 'mo' as 'mon'] }, /days.*\[mon, mo\]/],
    ['no such zone', { start: '01:00', end: '02:00', timeZone: 'Mars/Phobos' }, /known time zone, got Mars\/Phobos/],
  ])('refuses one with %s', (_what, window, message) => {
    expect(() => checkWindows([window])).toThrow(badOption);
    expect(() => checkWindows([{ from: 0, to: 1 }, window])).toThrow(message);
  });
});
