import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleEntry } from '../testing/sample-entry';
import { judged, sampleRecord, settledAfter, steadyPolicy } from '../testing/sample-attempt';
import { defaultBackoff } from './backoff';
import {
  ageMs,
  clockCompared,
  clockIsTrusted,
  clockSeen,
  defaultClock,
  dueNow,
  freshClock,
  isSaneDueAt,
} from './clock';

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
  });

  it('that was set after the clock was turned back is right, although the intent seems to be of tomorrow', () => {
    const made = { ...waiting, createdAt: now + 3 * day };
    expect(isSaneDueAt(made, now, defaultBackoff)).toBe(true);
    expect(isSaneDueAt(made, now - 3_600_000, defaultBackoff)).toBe(false);
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

describe('what is due now', () => {
  it('stays due, or is known to be wrong, however far the clock is turned back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 * day }), fc.integer({ min: 0, max: 30 * day }), (ageMs, backMs) => {
        const made = { createdAt: now - ageMs };
        for (const entry of [made, { ...made, lastFailure: { at: now - Math.floor(ageMs / 2) } as never }]) {
          const dueAt = dueNow(entry, now);
          expect(dueAt).toBeLessThanOrEqual(now);
          const later = now - backMs;
          const waits = dueAt > later + 1_000 && isSaneDueAt({ ...entry, dueAt }, later, defaultBackoff);
          expect(waits).toBe(false);
        }
      }),
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
    expect(seen).toEqual({ seenAt: now, doubtUntil: 0, offsetMs: null });
    const later = clockSeen(seen, now + 12 * 3_600_000);
    expect(later).toEqual({ seenAt: now + 12 * 3_600_000, doubtUntil: 0, offsetMs: null });
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
    expect(back).toEqual({ seenAt: now + 30_000, doubtUntil: 0, offsetMs: null });
    // The daily work of a time server is no correction.
    const leapt = clockSeen(seen, now + 10 * day);
    expect(clockSeen(leapt, now + 10 * day - 1_000).doubtUntil).toBe(leapt.doubtUntil - 1_000);
    expect(clockIsTrusted(leapt, now + 10 * day - 1_000)).toBe(false);
    expect(clockIsTrusted(leapt, now + 10 * day - 1_001)).toBe(true);
    expect(clockSeen(leapt, now + 10 * day - 1_001).doubtUntil).toBe(0);
  });

  it('is settled by an answer’s Date that is as far from our clock as those before', () => {
    const known = clockCompared(seen, now, now + 60_000);
    expect(known).toEqual({ seenAt: now, doubtUntil: 0, offsetMs: 60_000 });
    const at = now + 10 * day;
    const leapt = clockSeen(known, at);
    for (const strayMs of [-300_000, 300_000]) {
      const confirmed = clockCompared(leapt, at + 5, at + 5 + 60_000 + strayMs);
      expect(confirmed).toEqual({ seenAt: at + 5, doubtUntil: 0, offsetMs: 60_000 });
    }
    // The server has not moved by ten days: the clock was turned.
    const turned = clockCompared(leapt, at + 5, now + 60_000);
    expect(turned).toEqual({ seenAt: at + 5, doubtUntil: at + 600_000, offsetMs: 60_000 });
  });

  it('waits when the clock is turned between two answers, and takes it as it is after ten minutes', () => {
    const known = clockCompared(seen, now, now);
    const turned = clockCompared(known, now + 3_600_000, now);
    expect(turned).toEqual({ seenAt: now + 3_600_000, doubtUntil: now + 3_600_000 + 600_000, offsetMs: 0 });
    expect(clockIsTrusted(turned, now + 3_600_001)).toBe(false);
    // Answers meanwhile neither end nor prolong it.
    const still = clockCompared(turned, now + 3_700_000, now + 100_000);
    expect(still.doubtUntil).toBe(turned.doubtUntil);
    // Turned back right: no harm was done.
    expect(clockCompared(still, now + 200_000, now + 200_000)).toMatchObject({ doubtUntil: 0, offsetMs: 0 });
    const taken = clockCompared(still, now + 4_200_000, now + 600_000);
    expect(taken).toEqual({ seenAt: now + 4_200_000, doubtUntil: 0, offsetMs: -3_600_000 });
  });

  it('does not mind a clock that is always wrong by the same amount', () => {
    let watch = clockCompared(seen, now, now - day);
    for (let hour = 1; hour < 48; hour += 1) {
      const at = now + hour * 3_600_000;
      watch = clockCompared(clockSeen(watch, at), at, at - day + (hour % 2) * 60_000);
      expect(clockIsTrusted(watch, at)).toBe(true);
    }
  });

  it('learns nothing for or against a leap from the very first answer', () => {
    const leapt = clockSeen(seen, now + 10 * day);
    expect(clockCompared(leapt, now + 10 * day, now)).toEqual({ ...leapt, offsetMs: -10 * day });
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
