import { describe, expect, it } from 'vitest';
import { judged, sampleRecord as record, settledAfter, steadyPolicy as steady } from '../testing/sample-attempt';
import { sampleEntry } from '../testing/sample-entry';
import { defaultBackoff } from './backoff';
import { defaultBudgets } from './budget';
import { type Verdict } from './classify';
import { type Attempt, type Entry } from './entry';
import { advance } from './lifecycle';
import { type RetryPolicy } from './options';
import { problemTypes } from './problem-types';
import { type AttemptRecord, historyLength, settlement } from './settlement';

const now = 1_000_000;
const policy = { backoff: defaultBackoff, budgets: defaultBudgets };
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

describe('a failed entry', () => {
  it('waits its backoff, counted for its class, with the attempt on record', () => {
    const problem = 'https://x/y';
    const { move, patch } = settlement(sending(), judged({ status: 500 }), record(500, { problem }), steady, now, 0);
    const failure = { class: 'server', status: 500, problem, message: 'answered 500', at: now };
    expect(move).toBe('release');
    expect(patch).toEqual({
      tries: 1,
      attempts: 1,
      spent: { server: 1 },
      outcome: 'unknown',
      firstUnknownAt: now - 40,
      history: [{ ...failure, tookMs: 40, counted: true }],
      firstFailure: failure,
      lastFailure: failure,
      dueAt: now + 2_000,
      lastDelayMs: 2_000,
    });
  });

  it('waits longer each time, whatever the classes', () => {
    let entry = sending();
    const waits: number[] = [];
    for (const status of [500, 429, 503, 500, 500]) {
      entry = again(after(entry, judged({ status }), record(status)));
      waits.push(entry.dueAt - now);
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000]);
    expect(entry).toMatchObject({ attempts: 5, tries: 5, spent: { server: 3, overload: 2 } });
  });

  it('keeps its first failure and the first moment of doubt', () => {
    const first = after(sending(), judged({ kind: 'timeout', status: 0 }), record(0, { message: 'first' }), 5_000);
    const second = after(again(first), judged({ status: 500 }), record(500, { message: 'second' }), 9_000);
    expect(second.firstFailure?.message).toBe('first');
    expect(second.lastFailure?.message).toBe('second');
    expect(second.firstUnknownAt).toBe(4_960);
  });

  it('remembers its latest attempts only', () => {
    const history: Attempt[] = Array.from({ length: historyLength }, (_, index) => ({
      class: 'server',
      status: 500,
      message: String(index),
      at: index,
      tookMs: 1,
      counted: true,
    }));
    const { patch } = settlement(sending({ history }), judged({ status: 500 }), record(500), policy, now, 0);
    expect(patch.history).toHaveLength(20);
    expect(patch.history?.[0]?.message).toBe('1');
    expect(patch.history?.at(-1)?.message).toBe('answered 500');
  });

  it('carries its last wait on for decorrelated jitter', () => {
    const plan = { ...policy, backoff: { ...defaultBackoff, jitter: 'decorrelated' as const } };
    const { patch } = settlement(
      sending({ lastDelayMs: 10_000 }),
      judged({ status: 500 }),
      record(500),
      plan,
      now,
      0.5,
    );
    expect([patch.dueAt, patch.lastDelayMs]).toEqual([now + 16_000, 16_000]);
  });
});

describe('what the server asked for', () => {
  it('is a floor, with some more so that not all come at once', () => {
    const ask = record(503, { askedMs: 60_000 });
    expect(after(sending(), judged({ status: 503 }), ask, now, 0, policy).dueAt).toBe(now + 60_000);
    expect(after(sending(), judged({ status: 503 }), ask, now, 0.5, policy).dueAt).toBe(now + 66_000);
    // A small wait is spread by a first backoff, a large one by no more than the longest.
    expect(after(sending(), judged({ status: 503 }), record(503, { askedMs: 4_000 }), now, 0.5, policy).dueAt).toBe(
      now + 5_000,
    );
    expect(
      after(sending(), judged({ status: 503 }), record(503, { askedMs: 86_400_000 }), now, 0.5, policy).dueAt,
    ).toBe(now + 86_400_000 + 150_000);
  });

  it('is not spread when no jitter is wanted', () => {
    expect(after(sending(), judged({ status: 503 }), record(503, { askedMs: 60_000 }), now, 0.9).dueAt).toBe(
      now + 60_000,
    );
  });

  it('never shortens the backoff', () => {
    const tired = sending({ attempts: 5, spent: { server: 5 } });
    expect(after(tired, judged({ status: 503 }), record(503, { askedMs: 0 })).dueAt).toBe(now + 64_000);
  });

  it('is not taken for the wait that decorrelated jitter carries on', () => {
    expect(after(sending(), judged({ status: 503 }), record(503, { askedMs: 60_000 })).lastDelayMs).toBe(2_000);
  });
});

describe('an attempt that reached no server', () => {
  const offline = judged({ kind: 'network', status: 0, connectivity: 'offline' });

  it('costs nothing: no budget, no longer wait', () => {
    const entry = sending({ attempts: 3, spent: { server: 3 }, lastDelayMs: 8_000 });
    const { move, patch } = settlement(entry, offline, record(0), steady, now, 0);
    expect(move).toBe('release');
    expect(patch).toMatchObject({ tries: 1, dueAt: now + 2_000, outcome: 'unknown' });
    expect(patch.history?.at(-1)).toMatchObject({ class: 'offline', counted: false });
    for (const kept of ['attempts', 'spent', 'lastDelayMs']) expect(patch).not.toHaveProperty(kept);
  });

  it('a thousand times leaves the entry as able as before', () => {
    let entry = sending();
    for (let at = 0; at < 1_000; at += 1) entry = again(after(entry, offline, record(0), now + at * 60_000));
    expect(entry).toMatchObject({ state: 'sending', attempts: 0, spent: {}, tries: 1_000 });
    expect(entry.history).toHaveLength(20);
  });

  it('that never left the device leaves the outcome as it was', () => {
    const stayed = judged({ kind: 'network', status: 0, connectivity: 'offline', neverLeft: true });
    expect(after(sending(), stayed, record(0))).toMatchObject({ outcome: 'never-sent', tries: 1 });
  });

  it('does not go by the long wait that decorrelated jitter carries on', () => {
    const plan = { ...policy, backoff: { ...defaultBackoff, jitter: 'decorrelated' as const } };
    expect(after(sending({ lastDelayMs: 200_000 }), offline, record(0), now, 0.5, plan).dueAt).toBe(now + 4_000);
  });

  it('behind a portal leaves the outcome as it was', () => {
    const portal = judged({ status: 511 });
    expect(after(sending(), portal, record(511))).toMatchObject({ outcome: 'never-sent', attempts: 0 });
    expect(after(sending({ outcome: 'unknown', firstUnknownAt: 7 }), portal, record(511))).toMatchObject({
      outcome: 'unknown',
      firstUnknownAt: 7,
    });
  });
});

describe('the outcome', () => {
  it.each([
    ['never-sent', 429, 'answered'],
    ['never-sent', 503, 'unknown'],
    ['unknown', 429, 'unknown'],
    ['answered', 429, 'answered'],
    ['answered', 500, 'unknown'],
    ['unknown', 422, 'answered'],
    ['unknown', 201, 'answered'],
    ['never-sent', 422, 'answered'],
  ] as const)('%s before an answer of %d is %s after it', (outcome, status, expected) => {
    const entry = after(sending({ outcome }), judged({ status, outcomeBefore: outcome }), record(status));
    expect(entry.outcome).toBe(expected);
    expect(entry.firstUnknownAt).toBe(expected === 'unknown' ? now - 40 : undefined);
  });
});

describe('a key in progress', () => {
  const working = judged({ status: 409, problemType: problemTypes.inProgress });

  it('is asked for again soon, by waits of its own, however often the entry had failed', () => {
    const entry = sending({ attempts: 6, spent: { network: 6 }, lastDelayMs: 64_000 });
    const { patch } = settlement(entry, working, record(409), steady, now, 0);
    expect(patch).toMatchObject({ dueAt: now + 500, attempts: 7, spent: { network: 6, 'in-progress': 1 } });
    expect(patch).not.toHaveProperty('lastDelayMs');
    const later = sending({ attempts: 3, spent: { 'in-progress': 3 } });
    // 1000 * 1.5 ** 3, half of it with the lowest dice.
    expect(settlement(later, working, record(409), steady, now, 0).patch.dueAt).toBe(now + 1_687);
  });

  it('does not raise the wait after other failures', () => {
    const entry = sending({ attempts: 30, spent: { 'in-progress': 29, server: 1 } });
    expect(settlement(entry, judged({ status: 500 }), record(500), steady, now, 0).patch.dueAt).toBe(now + 4_000);
  });

  it('waits no less than the server asks', () => {
    expect(settlement(sending(), working, record(409, { askedMs: 9_000 }), steady, now, 0).patch.dueAt).toBe(
      now + 9_000,
    );
  });
});
