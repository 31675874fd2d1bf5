import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noTally, noCounts, type Tally } from './control';
import type { Attempt } from './entry';
import { sameInARow, statsFrom, tallyAttempt, tallyClosed, tallyRetry } from './stats';

const none = noTally;
const attempt = (status: number, kind: Attempt['class'] = 'server'): Attempt => ({
  class: kind,
  status,
  message: '',
  at: 0,
  tookMs: 0,
  counted: true,
});

describe('statsFrom', () => {
  it('says nothing about what has not happened yet', () => {
    expect(statsFrom(none, noCounts, { pendingAt: null, openDeadAt: null }, 5)).toEqual({
      accepted: 0,
      delivered: 0,
      died: 0,
      retries: 0,
      repeatedFailures: 0,
      duplicates: 0,
      waiting: { pending: 0, sending: 0, bytes: 0, oldestMs: null },
      dead: { count: 0, open: 0, oldestOpenMs: null, closed: 0, handlingMs: null },
      replays: { count: 0, firstSuccess: null },
      byRoute: {},
      byClass: {},
    });
  });

  it('gives sums, ages and means', () => {
    const tally: Tally = {
      accepted: 20,
      delivered: 10,
      died: 3,
      retries: 7,
      duplicates: 2,
      repeated: 1,
      replays: 4,
      firstReplayDelivered: 3,
      closed: 2,
      closeMs: 9_000,
      byRoute: { orders: { delivered: 10, died: 3, retries: 7 } },
      byClass: { server: 7 },
    };
    const counts = { pending: 5, sending: 1, delivered: 10, dead: 3, open: 2, bytes: 77 };
    expect(statsFrom(tally, counts, { pendingAt: 1_000, openDeadAt: 4_000 }, 10_000)).toEqual({
      accepted: 20,
      delivered: 10,
      died: 3,
      retries: 7,
      repeatedFailures: 1,
      duplicates: 2,
      waiting: { pending: 5, sending: 1, bytes: 77, oldestMs: 9_000 },
      dead: { count: 3, open: 2, oldestOpenMs: 6_000, closed: 2, handlingMs: 4_500 },
      replays: { count: 4, firstSuccess: 0.75 },
      byRoute: tally.byRoute,
      byClass: tally.byClass,
    });
  });

  it('knows no negative ages, also after the clock was turned back', () => {
    const stats = statsFrom(none, noCounts, { pendingAt: 9_000, openDeadAt: 0 }, 1_000);
    expect(stats.waiting.oldestMs).toBe(0);
    expect(stats.dead.oldestOpenMs).toBe(1_000);
  });
});

describe('sameInARow', () => {
  it('counts how often the latest failure came in a row', () => {
    expect(sameInARow([])).toBe(0);
    expect(sameInARow([attempt(500)])).toBe(1);
    expect(sameInARow([attempt(500), attempt(502), attempt(500), attempt(500)])).toBe(2);
    expect(sameInARow([attempt(500), attempt(500), attempt(500)])).toBe(3);
  });

  it('tells failures without an answer by their class', () => {
    expect(sameInARow([attempt(0, 'network'), attempt(0, 'timeout'), attempt(0, 'timeout')])).toBe(2);
  });

  it('is none after a success', () => {
    expect(sameInARow([attempt(200, 'delivered')])).toBe(0);
    expect(sameInARow([attempt(0, 'unverified')])).toBe(0);
  });
});

describe('tallyAttempt', () => {
  it('counts each class', () => {
    const twice = tallyAttempt(tallyAttempt(none, [attempt(500)]), [attempt(500), attempt(0, 'timeout')]);
    expect(twice.byClass).toEqual({ server: 1, timeout: 1 });
    expect(tallyAttempt(twice, [attempt(500)]).byClass).toEqual({ server: 2, timeout: 1 });
    expect(tallyAttempt(none, [])).toBe(none);
  });

  it('counts an entry once when it fails the third time alike, and again only after something else came', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(500, 502, 429), { maxLength: 60 }), (statuses) => {
        let tally = none;
        let history: Attempt[] = [];
        for (const status of statuses) {
          history = [...history, attempt(status)].slice(-20);
          tally = tallyAttempt(tally, history);
        }
        const runs = statuses.join(' ').match(/(\d+)(?: \1){2,}/g) ?? [];
        expect(tally.repeated).toBe(runs.length);
      }),
    );
  });
});

describe('tallyRetry', () => {
  it('counts for the whole and for the route', () => {
    const tally = tallyRetry(tallyRetry(tallyRetry(none, 'orders'), 'orders'), 'photos');
    expect(tally.retries).toBe(3);
    expect(tally.byRoute).toEqual({
      orders: { delivered: 0, died: 0, retries: 2 },
      photos: { delivered: 0, died: 0, retries: 1 },
    });
  });
});

describe('tallyClosed', () => {
  it('adds the time from claim to close, none for what nobody claimed', () => {
    const tally = tallyClosed(tallyClosed(none, 1_000, 5_000), undefined, 9_000);
    expect(tally).toMatchObject({ closed: 2, closeMs: 4_000 });
    expect(tallyClosed(none, 5_000, 1_000).closeMs).toBe(0);
  });
});
