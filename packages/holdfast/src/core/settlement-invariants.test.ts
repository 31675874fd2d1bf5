import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judged, sampleRecord as record, settledAfter, steadyPolicy as steady } from '../testing/sample-attempt';
import { sampleEntry } from '../testing/sample-entry';
import { type Backoff, longestDelayMs } from './backoff';
import { budgetClasses, defaultBudgets } from './budget';
import { type Verdict } from './classify';
import { type Entry } from './entry';
import { advance } from './lifecycle';
import { type RetryPolicy } from './options';
import { type AttemptRecord } from './settlement';

const now = 1_000_000;
const sending = (change: Partial<Entry> = {}): Entry => sampleEntry(1, { state: 'sending', ...change });
const again = (entry: Entry): Entry => ({ ...entry, state: advance(entry.state, 'claim') });
const after = (
  entry: Entry,
  verdict: Verdict,
  kept: AttemptRecord,
  at = now,
  dice = 0,
  plan: RetryPolicy = steady,
): Entry => settledAfter(entry, verdict, kept, at, dice, plan);

describe('whatever happens', () => {
  const backoff: fc.Arbitrary<Backoff> = fc.record({
    baseMs: fc.integer({ min: 1, max: 10_000 }),
    factor: fc.double({ min: 1, max: 4, noNaN: true }),
    capMs: fc.integer({ min: 10_000, max: 3_600_000 }),
    jitter: fc.oneof(
      fc.constantFrom('none' as const, 'full' as const, 'equal' as const, 'decorrelated' as const),
      fc.constant({ ratio: 0.2 }),
      fc.constant({ addMs: 500 }),
    ),
  });
  const step = fc.record({
    kind: fc.constantFrom('answer' as const, 'network' as const, 'timeout' as const, 'aborted' as const),
    status: fc.oneof(fc.integer({ min: 100, max: 999 }), fc.constantFrom(201, 409, 429, 500, 503, 511)),
    connectivity: fc.constantFrom('online' as const, 'offline' as const, 'unknown' as const),
    askedMs: fc.option(fc.integer({ min: 0, max: 86_400_000 })),
    dice: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });

  it('an entry is never lost: it waits, is delivered, or is dead with a reason people can read', () => {
    fc.assert(
      fc.property(backoff, fc.array(step, { maxLength: 60 }), (waits, steps) => {
        const plan = { backoff: waits, budgets: defaultBudgets };
        let entry = sending();
        let at = now;
        for (const { askedMs, dice, ...change } of steps) {
          const verdict = judged({ ...change, outcomeBefore: entry.outcome });
          const next = after(entry, verdict, record(change.status, { askedMs }), at, dice, plan);
          expect(next.tries).toBe(entry.tries + 1);
          expect(next.outcome).not.toBe(verdict.unknown ? 'answered' : 'nothing');
          if (entry.outcome === 'unknown' && next.state === 'pending') expect(next.outcome).toBe('unknown');
          if (next.state === 'pending') {
            // No earlier than asked, no later than the longest wait, and never in the past.
            expect(next.dueAt).toBeGreaterThanOrEqual(at + (askedMs ?? 0));
            expect(next.dueAt).toBeLessThanOrEqual(
              at + Math.max(longestDelayMs(waits), 10_000, (askedMs ?? 0) + waits.capMs),
            );
            const counted = Object.values(next.spent).reduce((sum, spent) => sum + spent, 0);
            expect(next.attempts).toBe(counted);
            for (const kind of budgetClasses) expect(next.spent[kind] ?? 0).toBeLessThanOrEqual(defaultBudgets[kind]);
          } else {
            expect(next.finishedAt).toBe(at);
            if (next.state === 'dead') expect(next.dead?.message).toMatch(/^It .*\.$/);
            return;
          }
          at = next.dueAt;
          entry = again(next);
        }
      }),
    );
  });

  it('being offline for ever kills nothing that has no deadline of its own', () => {
    const lost = fc.oneof(
      fc.constant(judged({ kind: 'network', status: 0, connectivity: 'offline' })),
      fc.constant(judged({ kind: 'network', status: 0, connectivity: 'unknown' })),
      fc.constant(judged({ kind: 'timeout', status: 0, connectivity: 'offline' })),
      fc.constant(judged({ kind: 'aborted', status: 0 })),
      fc.constant(judged({ status: 511 })),
    );
    fc.assert(
      fc.property(fc.array(lost, { minLength: 1, maxLength: 300 }), (verdicts) => {
        let entry = sending({ spent: { network: 8, timeout: 8, server: 6, overload: 5 }, attempts: 27 });
        for (const one of verdicts) entry = again(after(entry, one, record(0)));
        expect(entry).toMatchObject({ state: 'sending', attempts: 27 });
      }),
    );
  });
});
