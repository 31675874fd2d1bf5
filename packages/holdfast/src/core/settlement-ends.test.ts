import { describe, expect, it } from 'vitest';
import {
  judged,
  sampleAttempt,
  sampleRecord as record,
  settledAfter,
  steadyPolicy as steady,
} from '../testing/sample-attempt';
import { sampleEntry } from '../testing/sample-entry';
import { defaultBackoff } from './backoff';
import { type BudgetClass, budgetClasses, defaultBudgets } from './budget';
import { overruled, type Verdict } from './classify';
import { type Entry } from './entry';
import { advance } from './lifecycle';
import { type RetryPolicy } from './options';
import { problemTypes } from './problem-types';
import { type AttemptRecord, settlement } from './settlement';

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

describe('a delivered entry', () => {
  it('is done, with its last attempt on record and no failure added', () => {
    expect(settlement(sending(), judged({ status: 201 }), record(201), policy, now, 0)).toEqual({
      move: 'deliver',
      patch: {
        tries: 1,
        history: [{ class: 'delivered', status: 201, message: 'answered 201', at: now, tookMs: 40, counted: false }],
        outcome: 'answered',
        finishedAt: now,
        verified: true,
      },
    });
  });

  it('is flagged when nobody could read the answer', () => {
    const { move, patch } = settlement(sending(), judged({ type: 'opaque', status: 0 }), record(0), policy, now, 0);
    expect([move, patch.verified]).toEqual(['deliver', false]);
  });
});

describe('a used-up budget', () => {
  const failing: Record<BudgetClass, Verdict> = {
    network: judged({ kind: 'network', status: 0 }),
    timeout: judged({ kind: 'timeout', status: 0 }),
    server: judged({ status: 500 }),
    overload: judged({ status: 429 }),
    'in-progress': overruled('in-progress', sampleAttempt),
  };

  it.each(budgetClasses)('ends an entry after its first attempt and as many retries as %s allows', (kind) => {
    let entry = sending();
    let attempts = 0;
    while (entry.state === 'sending') {
      const next = after(entry, failing[kind], record(0));
      attempts += 1;
      entry = next.state === 'pending' ? again(next) : next;
    }
    expect(attempts).toBe(defaultBudgets[kind] + 1);
    expect(entry.dead).toMatchObject({ reason: 'exhausted', at: now, triage: 'open' });
    expect(entry.finishedAt).toBe(now);
    expect(entry.spent[kind]).toBe(attempts);
    expect(entry.lastFailure?.class).toBe(kind);
  });

  it('tells people how often and why it failed', () => {
    const entry = sending({ spent: { server: 6 } });
    expect(settlement(entry, failing.server, record(500), policy, now, 0).patch.dead?.message).toBe(
      'It failed 7 times this way, the last time because the server answered 500. It may have been received. ' +
        'Send it again when the cause is gone.',
    );
    const none = { ...policy, budgets: { ...defaultBudgets, server: 0 } };
    expect(settlement(sending(), failing.server, record(500), none, now, 0).patch.dead?.message).toMatch(
      /^It failed 1 time this/,
    );
  });

  it('of one class leaves the others alone', () => {
    const { move } = settlement(sending({ spent: { server: 6 } }), failing.overload, record(429), policy, now, 0);
    expect(move).toBe('release');
  });
});

describe('a refused entry', () => {
  it.each([
    [422, 'rejected', /^It was refused \(the server answered 422\).*change it first/],
    [409, 'conflict', /^It clashes.*\(the server answered 409\)/],
    [401, 'auth', /^It needs other credentials \(the server answered 401\)/],
  ] as const)('%d is dead as %s, with the reason in words', (status, reason, message) => {
    const { move, patch } = settlement(sending(), judged({ status }), record(status), policy, now, 0);
    expect(move).toBe('refuse');
    expect(patch).toMatchObject({
      tries: 1,
      outcome: 'answered',
      finishedAt: now,
      lastFailure: { status },
      dead: { reason, at: now, triage: 'open' },
    });
    expect(patch.dead?.message).toMatch(message);
    expect(patch).not.toHaveProperty('dueAt');
    expect(patch).not.toHaveProperty('attempts');
  });

  it('whose key is forgotten is held, and people are warned', () => {
    const forgotten = judged({ status: 422, problemType: problemTypes.keyExpired });
    const { patch } = settlement(sending(), forgotten, record(422), policy, now, 0);
    expect(patch.dead).toMatchObject({ reason: 'held' });
    expect(patch.dead?.message).toMatch(/^It may have been carried out.*Look at the target/);
  });

  it('because of a redirect says that it probably did not arrive', () => {
    const { patch } = settlement(sending(), overruled('redirected', sampleAttempt), record(200), policy, now, 0);
    expect(patch.dead).toMatchObject({ reason: 'rejected' });
    expect(patch.dead?.message).toMatch(/^It probably did not arrive/);
  });

  it('without a stated reason counts as refused', () => {
    const { reason: _reason, ...bare } = judged({ status: 422 });
    expect(settlement(sending(), bare, record(422), policy, now, 0).patch.dead?.reason).toBe('rejected');
  });
});

describe('waiting for sign-in', () => {
  it('costs nothing and keeps the entry', () => {
    const auth: Verdict = { ...judged({ status: 401 }), final: 'retry' };
    expect(after(sending(), auth, record(401))).toMatchObject({
      state: 'pending',
      attempts: 0,
      spent: {},
      outcome: 'answered',
      dueAt: now + 2_000,
    });
  });
});

describe('an own deadline', () => {
  it('is when the entry is due, if it comes before the next turn', () => {
    expect(after(sending({ expiresAt: now + 1_500 }), judged({ status: 500 }), record(500)).dueAt).toBe(now + 1_500);
    expect(after(sending({ expiresAt: now + 60_000 }), judged({ status: 500 }), record(500)).dueAt).toBe(now + 2_000);
  });
});
