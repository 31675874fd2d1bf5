import { describe, expect, it } from 'vitest';
import { sampleEntry } from '../testing/sample-entry';
import { soundGate } from './breaker';
import { unknownConnectivity } from './connectivity';
import { type Gates, openGates } from './control';
import type { Entry } from './entry';
import { explain } from './explain';
import type { GateKeeper } from './gates';

const now = 1_000_000;
const keeper: GateKeeper = { subject: 'ann', windowsOf: () => [] };
const why = (entry: Partial<Entry>, gates: Partial<Gates> = {}, known: Partial<GateKeeper> = {}) =>
  explain(sampleEntry(1, { dueAt: now, ...entry }), { ...openGates, ...gates }, { ...keeper, ...known }, now);
const api = 'https://api.example';

describe('why a pending entry is not being sent', () => {
  it('is asked of pending entries only', () => {
    for (const state of ['sending', 'delivered', 'dead'] as const) expect(why({ state })).toBeNull();
  });

  it('may be nothing: it is due', () => {
    expect(why({})).toEqual({ kind: 'due-now', until: null });
  });

  it('may be its due time', () => {
    expect(why({ dueAt: now + 1 })).toEqual({ kind: 'due-later', until: now + 1 });
  });

  it('may be the moment the app named', () => {
    expect(why({ notBefore: now + 5, dueAt: now + 5 })).toEqual({ kind: 'not-before', until: now + 5 });
    expect(why({ notBefore: now })).toEqual({ kind: 'due-now', until: null });
  });

  it('may be its lane', () => {
    expect(why({ head: false, notBefore: now + 5 })).toEqual({ kind: 'behind-lane', until: null });
  });

  it('may be another entry', () => {
    expect(why({ waitsFor: ['a', 'b'], head: false })).toEqual({ kind: 'waits-for', until: null, detail: 'a, b' });
    expect(why({ waitsFor: [] })).toEqual({ kind: 'due-now', until: null });
  });

  it('may be a clock that leapt, for what would be too old if it were right', () => {
    const clock = { seenAt: now, doubtUntil: now + 600_000, offsetMs: null };
    const late = { kind: 'clock-in-doubt', until: now + 600_000 };
    expect(why({ expiresAt: now - 1 }, { clock })).toEqual(late);
    const sent = { outcome: 'unknown', firstUnknownAt: now - 101 } as const;
    expect(why(sent, { clock }, { keyRetentionOf: () => 100 })).toEqual(late);
    expect(why(sent, { clock }, { keyRetentionOf: () => 101 })).toMatchObject({ kind: 'due-now' });
    expect(why(sent, { clock })).toMatchObject({ kind: 'due-now' });
    expect(why({ expiresAt: now - 1 })).toMatchObject({ kind: 'due-now' });
    expect(why({ expiresAt: now - 1, head: false }, { clock })).toMatchObject({ kind: 'behind-lane' });
  });

  it('may be a pause: of everything, of its route, of its lane', () => {
    expect(why({}, { all: { until: now + 9, why: 'audit' } })).toEqual({
      kind: 'paused',
      until: now + 9,
      detail: 'audit',
    });
    expect(why({}, { routes: { orders: { until: null } } })).toEqual({ kind: 'paused', until: null });
    const lanes = { 'ann\norders': { until: now + 7, why: 'fix first' } };
    expect(why({}, { lanes })).toEqual({ kind: 'paused', until: now + 7, detail: 'fix first' });
    expect(why({}, { lanes: { 'ann\norders': { until: null } } })).toEqual({ kind: 'paused', until: null });
    expect(why({ lane: null }, { lanes })).toEqual({ kind: 'due-now', until: null });
    expect(why({}, { lanes: { 'ann\norders': { until: now } } })).toEqual({ kind: 'due-now', until: null });
  });

  it('may be a maintenance window', () => {
    const windowsOf = (route: string) => (route === 'orders' ? [{ from: now, to: now + 4 }] : []);
    expect(why({}, {}, { windowsOf })).toEqual({ kind: 'maintenance', until: now + 4 });
    expect(why({ route: 'photos' }, {}, { windowsOf })).toEqual({ kind: 'due-now', until: null });
  });

  it('may be that its subject has to sign in, or that another one is signed in', () => {
    expect(why({}, { signIn: { ann: { since: 1 } } })).toEqual({ kind: 'sign-in', until: null });
    expect(why({}, {}, { subject: 'bob' })).toEqual({ kind: 'other-subject', until: null });
  });

  it('may be that the server asked to be left alone', () => {
    const gate = { ...soundGate, phase: 'open' as const, pausedUntil: now + 60, probeAt: now + 60 };
    expect(why({}, { origins: { [api]: gate } })).toEqual({ kind: 'origin-paused', until: now + 60, detail: api });
  });

  it('may be that its origin fails', () => {
    const gate = { ...soundGate, phase: 'open' as const, probeAt: now + 60 };
    expect(why({ dueAt: now + 5 }, { origins: { [api]: gate } })).toEqual({
      kind: 'breaker-open',
      until: now + 60,
      detail: api,
    });
    expect(why({}, { origins: { 'https://other.example': gate } })).toEqual({ kind: 'due-now', until: null });
  });

  it('may be that nothing reaches a server', () => {
    const connectivity = { ...unknownConnectivity, verdict: 'offline' as const, probeAt: now + 30 };
    expect(why({}, { connectivity })).toEqual({ kind: 'offline', until: now + 30 });
  });

  it('is first what a person has to act on, then what lies with the entry, with the target, and with time', () => {
    const gate = { ...soundGate, phase: 'open' as const, probeAt: now + 60 };
    const connectivity = { ...unknownConnectivity, verdict: 'offline' as const, probeAt: now + 30 };
    const all: Partial<Gates> = { all: { until: null }, origins: { [api]: gate }, connectivity };
    expect(why({ head: false }, all)?.kind).toBe('paused');
    expect(why({ head: false }, { ...all, all: { until: now - 1 } })?.kind).toBe('behind-lane');
    expect(why({}, { origins: { [api]: gate }, connectivity })?.kind).toBe('breaker-open');
    expect(why({ dueAt: now + 99 }, { connectivity })?.kind).toBe('offline');
  });
});
