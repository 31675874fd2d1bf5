import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judged, sampleAttempt } from '../testing/sample-attempt';
import {
  afterOutcome,
  type BreakerOptions,
  defaultBreaker,
  mayGo,
  pausedFor,
  quietUntil,
  soundGate,
  suspects,
} from './breaker';
import { overruled, type Verdict } from './classify';
import type { OriginGate } from './control';

const now = 1_796_040_000_000;
const options: BreakerOptions = {
  ...defaultBreaker,
  probeAfter: { baseMs: 10_000, factor: 2, capMs: 300_000, jitter: 'none' },
};
const ok = judged({ status: 201 });
const broken = judged({ status: 500 });
const busy = judged({ status: 503 });
const after = (gate: OriginGate | undefined, verdict: Verdict, at = now, askedMs: number | null = null): OriginGate =>
  afterOutcome(gate, verdict, askedMs, at, 0, options);
/** The gate after so many failures in a row at one moment. */
const failed = (times: number): OriginGate =>
  Array.from({ length: times }).reduce<OriginGate>((gate) => after(gate, broken), soundGate);

describe('an origin that fails', () => {
  it('is left alone after five failures in a row, not before', () => {
    expect(failed(4)).toMatchObject({ phase: 'closed', failures: 4 });
    expect(mayGo(failed(4), now)).toEqual({ allowed: 3 });
    expect(failed(5)).toMatchObject({ phase: 'open', failures: 5, probeAt: now + 10_000, pausedUntil: 0 });
    expect(mayGo(failed(5), now)).toEqual({ allowed: 0, nextAt: now + 10_000 });
  });

  it('starts to count anew after any answer that is no failure', () => {
    for (const status of [201, 404, 409, 401, 501]) {
      expect(after(failed(4), judged({ status }))).toMatchObject({
        phase: 'closed',
        failures: 0,
        ramp: 0,
        answeredAt: now,
      });
    }
  });

  it('gets one probe at a time once the time has come', () => {
    expect(mayGo(failed(5), now + 9_999)).toEqual({ allowed: 0, nextAt: now + 10_000 });
    expect(mayGo(failed(5), now + 10_000)).toEqual({ allowed: 1 });
    expect(mayGo({ ...failed(5), phase: 'half-open' }, now)).toEqual({ allowed: 1 });
  });

  it('is probed ever more rarely while probes fail', () => {
    let gate = failed(5);
    const waits: number[] = [];
    for (let probe = 0; probe < 7; probe += 1) {
      const at = gate.probeAt;
      gate = after(gate, broken, at);
      waits.push(gate.probeAt - at);
    }
    expect(waits).toEqual([20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000]);
  });

  it('is not probed later because of stragglers from before', () => {
    const gate = after(failed(5), broken, now + 5_000);
    expect(gate).toMatchObject({ phase: 'open', failures: 6, probeAt: now + 10_000 });
  });

  it('gets two at a time after a good probe, then four, then as many as usual', () => {
    const two = after(failed(5), ok, now + 10_000);
    expect(two).toMatchObject({ phase: 'closed', failures: 0, ramp: 2, probeAt: 0 });
    expect(mayGo(two, now + 10_000)).toEqual({ allowed: 2 });
    const all = after(two, ok, now + 10_000);
    expect(all.ramp).toBe(0);
    expect(mayGo(all, now + 10_000)).toEqual({ allowed: 3 });
    const wide = { ...options, cap: 10 };
    const steps = [2, 4, 8, 0];
    let gate = failed(5);
    for (const step of steps) {
      gate = afterOutcome(gate, ok, null, now + 10_000, 0, wide);
      expect(gate.ramp).toBe(step);
    }
    expect(mayGo({ ...soundGate, ramp: 8 }, now, { cap: 6 })).toEqual({ allowed: 6 });
  });

  it('is left alone at once when it fails while recovering', () => {
    const two = after(failed(5), ok, now + 10_000);
    expect(after(two, broken, now + 11_000)).toMatchObject({
      phase: 'open',
      failures: 1,
      ramp: 0,
      probeAt: now + 21_000,
    });
  });

  it('may be probed early on a hint', () => {
    expect(mayGo(failed(5), now, { hinted: true })).toEqual({ allowed: 1 });
  });

  it('is not shut for longer than can be right when the clock was turned back', () => {
    const dayAndABit = 86_400_000 + 300_000;
    // As an older version wrote it, which did not say when.
    const { setAt: _, ...older } = failed(5);
    expect(mayGo(older, now + 10_000 - dayAndABit - 1)).toEqual({ allowed: 1 });
    expect(mayGo(older, now + 10_000 - dayAndABit)).toMatchObject({ allowed: 0 });
    expect(mayGo({ ...soundGate, pausedUntil: now + dayAndABit + 1 }, now)).toEqual({ allowed: 3 });
    expect(mayGo({ ...soundGate, pausedUntil: now + dayAndABit }, now)).toEqual({
      allowed: 0,
      nextAt: now + dayAndABit,
    });
  });
});

describe('a clock that is turned back', () => {
  const hour = 3_600_000;
  it.each([1_001, hour, 3 * hour, 72 * hour])('by %i ms ends every wait that was set before', (back) => {
    for (const gate of [failed(5), after(undefined, busy, now, 60_000), pausedFor(undefined, 60_000, now)]) {
      expect(mayGo(gate, now)).toMatchObject({ allowed: 0 });
      expect(mayGo(gate, now - back).allowed).toBeGreaterThan(0);
      expect(quietUntil(gate, now - back)).toBe(0);
      // What is heard from then on counts, and only that.
      expect(mayGo(after(gate, busy, now - back, 5_000), now - back)).toEqual({
        allowed: 0,
        nextAt: now - back + 5_000,
      });
      expect(pausedFor(gate, 5_000, now - back).pausedUntil).toBe(now - back + 5_000);
    }
  });

  it('by the second that a time server takes now and then ends none', () => {
    const gate = after(undefined, busy, now, 60_000);
    expect(mayGo(gate, now - 1_000)).toEqual({ allowed: 0, nextAt: now + 60_000 });
    expect(quietUntil(gate, now - 1_000)).toBe(now + 60_000);
  });
});

describe('an origin that asks to be left alone', () => {
  it('is, at once and for as long as it asks, and nobody’s hint changes that', () => {
    const gate = after(undefined, busy, now, 60_000);
    expect(gate).toMatchObject({ phase: 'open', failures: 1, pausedUntil: now + 60_000, probeAt: now + 60_000 });
    expect(mayGo(gate, now + 59_999, { hinted: true })).toEqual({ allowed: 0, nextAt: now + 60_000 });
    expect(mayGo(gate, now + 60_000)).toEqual({ allowed: 1 });
  });

  it('for no stated time is left alone as after a failure', () => {
    expect(after(undefined, busy)).toMatchObject({ pausedUntil: now + 10_000, probeAt: now + 10_000 });
    expect(after(undefined, busy, now, 0)).toMatchObject({ pausedUntil: now + 10_000, probeAt: now + 10_000 });
  });

  it('is not met by all clients at the same moment', () => {
    expect(afterOutcome(undefined, busy, 60_000, now, 0.5, options).pausedUntil).toBe(now + 66_000);
    expect(afterOutcome(undefined, busy, 86_400_000, now, 0.5, options).pausedUntil).toBe(now + 86_400_000 + 150_000);
  });

  it('keeps the longer of two pauses', () => {
    const long = after(undefined, busy, now, 60_000);
    expect(after(long, busy, now + 1, 5_000)).toMatchObject({ pausedUntil: now + 60_000, probeAt: now + 60_000 });
    expect(after(long, busy, now + 1, 90_000)).toMatchObject({ pausedUntil: now + 90_001, probeAt: now + 90_001 });
  });

  it('stays alone although an answer to an earlier request comes in', () => {
    const gate = after(after(undefined, busy, now, 60_000), ok, now + 1_000);
    expect(mayGo(gate, now + 1_000)).toEqual({ allowed: 0, nextAt: now + 60_000 });
  });

  it('is asked for by a used-up quota as well, without being broken', () => {
    const gate = pausedFor(undefined, 12_000, now);
    expect(gate).toEqual({ ...soundGate, pausedUntil: now + 12_000, setAt: now });
    expect(mayGo(gate, now)).toEqual({ allowed: 0, nextAt: now + 12_000 });
    expect(mayGo(gate, now + 12_000)).toEqual({ allowed: 3 });
    expect(pausedFor(gate, 1_000, now).pausedUntil).toBe(now + 12_000);
    expect(pausedFor(gate, 0, now)).toBe(gate);
    expect(pausedFor(undefined, 0, now)).toBe(soundGate);
  });

  it('is not asked for by Retry-After on an answer about one request only', () => {
    for (const verdict of [overruled('in-progress', sampleAttempt), judged({ status: 422 }), ok]) {
      expect(after(undefined, verdict, now, 60_000).pausedUntil).toBe(0);
    }
    expect(after(failed(4), broken, now, 60_000)).toMatchObject({ pausedUntil: 0, probeAt: now + 10_000 });
  });
});

describe('an attempt that says nothing about the origin', () => {
  it.each<[string, Verdict]>([
    ['offline', judged({ kind: 'network', status: 0, connectivity: 'offline' })],
    ['captive', judged({ status: 511 })],
    ['broken off by us', judged({ kind: 'aborted', status: 0 })],
    ['in the moment after a resume', judged({ kind: 'timeout', status: 0, settling: true })],
    ['timed out on a dead link', judged({ kind: 'timeout', status: 0, connectivity: 'offline' })],
  ])('%s, neither opens nor closes its gate', (_what, verdict) => {
    for (const gate of [failed(4), failed(5), after(failed(5), ok)]) {
      const { rejections: _ignored, ...rest } = after(gate, verdict);
      expect(gate).toMatchObject(rest);
    }
  });
});

describe('an origin that only ever rejects while others answer', () => {
  const rejected = judged({ kind: 'network', status: 0 });
  const reject = (times: number): OriginGate =>
    Array.from({ length: times }).reduce<OriginGate>((gate) => after(gate, rejected), soundGate);

  it('is suspect of CORS or a blocker after three times', () => {
    const origins = { 'https://a.example': reject(3), 'https://b.example': reject(2), 'https://c.example': soundGate };
    expect(suspects(origins)).toEqual(['https://a.example']);
  });

  it('is not when it ever answered: then it has trouble of another kind', () => {
    const once = Array.from({ length: 3 }).reduce<OriginGate>((gate) => after(gate, rejected), after(undefined, ok));
    expect(once.rejections).toBe(3);
    expect(suspects({ 'https://a.example': once })).toEqual([]);
  });

  it('is not once it answered anything, and timeouts or being offline do not make it so', () => {
    expect(after(reject(3), broken)).toMatchObject({ rejections: 0, answeredAt: now });
    const timeout = judged({ kind: 'timeout', status: 0 });
    const offline = judged({ kind: 'network', status: 0, connectivity: 'offline' });
    expect(after(reject(2), timeout).rejections).toBe(2);
    expect(after(reject(2), offline).rejections).toBe(2);
    expect(after(reject(2), timeout).answeredAt).toBe(0);
  });
});

describe('mayGo', () => {
  it('lets as many go as the cap says where nothing is known', () => {
    expect(mayGo(undefined, now)).toEqual({ allowed: 3 });
    expect(mayGo(undefined, now, { cap: 6 })).toEqual({ allowed: 6 });
  });

  it('says when to ask again whenever nobody may go, and some day somebody may', () => {
    const outcome = fc.record({
      verdict: fc.constantFrom(
        ok,
        broken,
        busy,
        judged({ kind: 'network', status: 0 }),
        judged({ kind: 'timeout', status: 0 }),
        judged({ kind: 'network', status: 0, connectivity: 'offline' }),
        judged({ status: 429 }),
        judged({ status: 409 }),
      ),
      askedMs: fc.option(fc.integer({ min: 0, max: 86_400_000 })),
      dice: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      laterMs: fc.integer({ min: 0, max: 600_000 }),
      cap: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(fc.array(outcome), (outcomes) => {
        let gate: OriginGate | undefined;
        let at = now;
        for (const { verdict, askedMs, dice, laterMs, cap } of outcomes) {
          gate = afterOutcome(gate, verdict, askedMs, at, dice, { ...defaultBreaker, cap });
          at += laterMs;
          const { allowed, nextAt } = mayGo(gate, at, { cap });
          expect(allowed).toBeGreaterThanOrEqual(0);
          expect(allowed).toBeLessThanOrEqual(cap);
          expect(nextAt === undefined).toBe(allowed > 0);
          if (nextAt !== undefined) {
            expect(nextAt).toBeGreaterThan(at);
            const last = Math.max(gate.probeAt, gate.pausedUntil);
            expect(mayGo(gate, last, { cap }).allowed).toBeGreaterThan(0);
          }
          // Retry-After is never undercut.
          if (verdict.pausesOrigin) expect(gate.pausedUntil).toBeGreaterThanOrEqual(at - laterMs + (askedMs ?? 0));
        }
      }),
    );
  });
});
