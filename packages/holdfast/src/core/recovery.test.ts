import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleEntry } from '../testing/sample-entry';
import { defaultBackoff } from './backoff';
import { afterRecovery } from './recovery';

const now = 1_000_000;
const tired = sampleEntry(1, {
  dueAt: now + 300_000,
  attempts: 5,
  spent: { server: 5 },
  lastDelayMs: 300_000,
  history: [{ class: 'server', status: 500, message: '', at: 1, tookMs: 1, counted: true }],
});

describe('when an origin is back', () => {
  it('an entry goes soon, with a whole budget and its history', () => {
    expect(afterRecovery(tired, defaultBackoff, now, 0)).toEqual({
      dueAt: now,
      attempts: 0,
      spent: {},
      lastDelayMs: 0,
    });
    expect(afterRecovery(tired, defaultBackoff, now, 0.5)?.dueAt).toBe(now + 1_000);
  });

  it('what is due soon anyway gets its budget back and no later turn', () => {
    expect(afterRecovery({ ...tired, dueAt: now + 5 }, defaultBackoff, now, 0.9)).toMatchObject({
      dueAt: now + 5,
      attempts: 0,
    });
  });

  it('what the server asked for, and the moment the app named, still hold', () => {
    expect(afterRecovery({ ...tired, askedUntil: now + 60_000 }, defaultBackoff, now, 0)?.dueAt).toBe(now + 60_000);
    expect(afterRecovery({ ...tired, notBefore: now + 90_000 }, defaultBackoff, now, 0)?.dueAt).toBe(now + 90_000);
  });

  it('nothing changes for what has not failed and is due, or does not wait', () => {
    expect(afterRecovery(sampleEntry(1, { dueAt: now }), defaultBackoff, now, 0)).toBeNull();
    expect(afterRecovery({ ...tired, state: 'sending' }, defaultBackoff, now, 0)).toBeNull();
    expect(afterRecovery({ ...tired, state: 'dead' }, defaultBackoff, now, 0)).toBeNull();
    // Not counted, but waiting: offline entries go soon as well.
    expect(afterRecovery(sampleEntry(1, { dueAt: now + 60_000 }), defaultBackoff, now, 0)).toMatchObject({
      dueAt: now,
    });
  });

  it('no turn is ever put off', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2e6 }),
        fc.option(fc.integer({ min: 0, max: 3e6 }), { nil: 0 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (dueAt, askedUntil, dice) => {
          const patch = afterRecovery({ ...tired, dueAt, askedUntil }, defaultBackoff, now, dice);
          expect(patch?.dueAt).toBeLessThanOrEqual(dueAt);
          expect(patch?.dueAt).toBeGreaterThanOrEqual(Math.min(dueAt, Math.max(now, askedUntil)));
        },
      ),
    );
  });
});
