import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleEntry } from '../testing/sample-entry';
import { judged, sampleRecord, settledAfter, steadyPolicy } from '../testing/sample-attempt';
import { defaultBackoff } from './backoff';
import { ageMs, clockCompared, clockIsTrusted, clockSeen, defaultClock, freshClock, isSaneDueAt } from './clock';

const now = 1_796_040_000_000;
const day = 86_400_000;

describe('a due time', () => {
  const waiting = { dueAt: now + 8_000, createdAt: now - day, lastFailure: { at: now } as never };

  it('is right while it lies within the wait that was set', () => {
    expect(isSaneDueAt(waiting, now, defaultBackoff)).toBe(true);
    expect(isSaneDueAt(waiting, now + 8_000, defaultBackoff)).toBe(true);
    expect(isSaneDueAt(waiting, now + 10 * day, defaultBackoff)).toBe(true);
  });

  it('is a mistake once the clock shows a time before it was set: an hour back, three days back', () => {
    expect(isSaneDueAt(waiting, now - 1_000, defaultBackoff)).toBe(true);
    expect(isSaneDueAt(waiting, now - 1_001, defaultBackoff)).toBe(false);
    expect(isSaneDueAt(waiting, now - 3_600_000, defaultBackoff)).toBe(false);
    expect(isSaneDueAt(waiting, now - 3 * day, defaultBackoff)).toBe(false);
    const unsent = { dueAt: now + 8_000, createdAt: now };
    expect(isSaneDueAt(unsent, now - 3_600_000, defaultBackoff)).toBe(false);
    expect(isSaneDueAt(unsent, now, defaultBackoff)).toBe(true);
    // The later of the two moments counts.
    expect(
      isSaneDueAt({ ...waiting, createdAt: now, lastFailure: { at: 0 } as never }, now - 5_000, defaultBackoff),
    ).toBe(false);
  });

  it('is a mistake further away than the longest wait there is', () => {
    const longest = day + 300_000;
    expect(isSaneDueAt({ dueAt: now + longest, createdAt: now }, now, defaultBackoff)).toBe(true);
    expect(isSaneDueAt({ dueAt: now + longest + 1, createdAt: now }, now, defaultBackoff)).toBe(false);
    expect(isSaneDueAt({ dueAt: now + 300_001, createdAt: now }, now, defaultBackoff, 0)).toBe(false);
    expect(isSaneDueAt({ dueAt: now + 300_000, createdAt: now }, now, defaultBackoff, 0)).toBe(true);
    const lazy = { ...defaultBackoff, capMs: 3 * day, jitter: { ratio: 0.5 } };
    expect(isSaneDueAt({ dueAt: now + 4.5 * day, createdAt: now }, now, lazy)).toBe(true);
  });

  it('that the app asked for may be as far away as it likes', () => {
    const notBefore = now + 400 * day;
    expect(isSaneDueAt({ dueAt: notBefore, createdAt: now, notBefore }, now, defaultBackoff)).toBe(true);
    expect(isSaneDueAt({ dueAt: notBefore + 1, createdAt: now, notBefore }, now, defaultBackoff)).toBe(false);
  });

  it('set by a settlement is right at once and until it comes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(429, 500, 503),
        fc.option(fc.integer({ min: 0, max: day })),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (status, askedMs, dice, part) => {
          const entry = sampleEntry(1, { state: 'sending', createdAt: now - 5 });
          const policy = { ...steadyPolicy, backoff: defaultBackoff };
          const next = settledAfter(entry, judged({ status }), sampleRecord(status, { askedMs }), now, dice, policy);
          expect(isSaneDueAt(next, now + part * (next.dueAt - now), defaultBackoff)).toBe(true);
        },
      ),
    );
  });
});

describe('an age', () => {
  it('is never negative, and never absurd', () => {
    expect(ageMs({ createdAt: now - 5_000 }, now)).toBe(5_000);
    expect(ageMs({ createdAt: now + day }, now)).toBe(0);
    expect(ageMs({ createdAt: 0 }, now)).toBe(315_576_000_000);
  });
});

describe('acting on deadlines', () => {
  const seen = clockSeen(freshClock, now);

  it('needs no confirmation while the clock runs evenly', () => {
    expect(seen).toEqual({ seenAt: now, doubtUntil: 0 });
    const later = clockSeen(seen, now + 12 * 3_600_000);
    expect(later).toEqual({ seenAt: now + 12 * 3_600_000, doubtUntil: 0 });
    expect(clockIsTrusted(later, now + 12 * 3_600_000)).toBe(true);
  });

  it('waits after a leap: nobody can tell a week in a drawer from a clock set wrong', () => {
    const leapt = clockSeen(seen, now + 10 * day);
    expect(clockIsTrusted(leapt, now + 10 * day)).toBe(false);
    expect(clockIsTrusted(leapt, now + 10 * day + 599_999)).toBe(false);
    // It has run on evenly since.
    expect(clockIsTrusted(leapt, now + 10 * day + 600_000)).toBe(true);
    expect(clockSeen(leapt, now + 10 * day + 5).doubtUntil).toBe(leapt.doubtUntil);
  });

  it('is right again as soon as the leap is taken back', () => {
    const back = clockSeen(clockSeen(seen, now + 10 * day), now + 30_000);
    expect(back).toEqual({ seenAt: now + 30_000, doubtUntil: 0 });
    // The daily work of a time server is no correction.
    const leapt = clockSeen(seen, now + 10 * day);
    expect(clockSeen(leapt, now + 10 * day - 1_000).doubtUntil).toBe(leapt.doubtUntil - 1_000);
    expect(clockIsTrusted(leapt, now + 10 * day - 1_000)).toBe(false);
    expect(clockIsTrusted(leapt, now + 10 * day - 1_001)).toBe(true);
    expect(clockSeen(leapt, now + 10 * day - 1_001).doubtUntil).toBe(0);
  });

  it('is settled by an answer’s Date, one way or the other', () => {
    const at = now + 10 * day;
    const leapt = clockSeen(seen, at);
    expect(clockCompared(leapt, at + 5, at + 300_005)).toEqual({ seenAt: at + 5, doubtUntil: 0 });
    expect(clockCompared(leapt, at + 5, at - 299_995)).toEqual({ seenAt: at + 5, doubtUntil: 0 });
    expect(clockIsTrusted(clockCompared(leapt, at + 5, now), at + 599_000)).toBe(false);
    expect(clockCompared(leapt, at + 5, now).doubtUntil).toBe(at + 600_005);
    // Also when there was no leap to notice: the clock had been wrong all along.
    expect(clockIsTrusted(clockCompared(seen, now, now - day), now)).toBe(false);
  });

  it('is not stuck in a doubt that lies in the future of a clock turned back', () => {
    const leapt = clockSeen(seen, now + 10 * day);
    expect(clockIsTrusted(leapt, now)).toBe(true);
  });

  it('never waits longer than ten minutes of an even clock', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -20 * day, max: 20 * day })), (steps) => {
        let watch = freshClock;
        let at = now;
        for (const step of steps) {
          at = Math.max(1, at + step);
          watch = clockSeen(watch, at);
        }
        for (let minute = 0; minute <= 10; minute += 1) watch = clockSeen(watch, at + minute * 60_000);
        expect(clockIsTrusted(watch, at + 600_000)).toBe(true);
      }),
    );
  });

  it('has its defaults documented', () => {
    expect(defaultClock).toEqual({ longestStepMs: 43_200_000, graceMs: 600_000, agreesWithinMs: 300_000 });
  });
});
