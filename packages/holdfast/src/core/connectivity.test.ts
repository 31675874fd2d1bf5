import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterAttempt,
  afterHint,
  type Connectivity,
  type ConnectivityOptions,
  defaultConnectivity,
  isSettling,
  mayReach,
  type Reach,
  unknownConnectivity,
} from './connectivity';

const now = 1_000_000;
const options: ConnectivityOptions = {
  ...defaultConnectivity,
  probe: { baseMs: 2_000, factor: 2, capMs: 60_000, jitter: 'none' },
};
const after = (state: Connectivity, reach: Reach, at = now, dice = 0): Connectivity =>
  afterAttempt(state, reach, at, dice, options);
const online = after(unknownConnectivity, 'reached');
const offline = after(unknownConnectivity, 'rejected');

describe('the verdict', () => {
  it('is unknown until an attempt has shown something', () => {
    expect(unknownConnectivity.verdict).toBe('unknown');
    expect(mayReach(unknownConnectivity, now)).toEqual({ allowed: Infinity });
  });

  it('is online after an answer, whatever was before', () => {
    expect(online).toEqual({ ...unknownConnectivity, verdict: 'online', since: now, reachedAt: now });
    expect(after(offline, 'reached', now + 5)).toEqual({
      verdict: 'online',
      since: now + 5,
      failures: 0,
      reachedAt: now + 5,
      probeAt: 0,
      hintedAt: 0,
    });
    expect(after(online, 'reached', now + 5)).toMatchObject({ since: now, reachedAt: now + 5 });
  });

  it('is offline after a rejection, unless a server answered lately: then that request has trouble of its own', () => {
    expect(offline).toMatchObject({ verdict: 'offline', since: now, failures: 1, probeAt: now + 2_000 });
    expect(after(online, 'rejected', now + 29_999)).toBe(online);
    expect(after(online, 'rejected', now + 30_000)).toMatchObject({
      verdict: 'offline',
      since: now + 30_000,
      failures: 1,
    });
    // An answer from the future vouches for nothing: the clock was turned back.
    expect(after(online, 'rejected', now - 1)).toMatchObject({ verdict: 'offline' });
  });

  it('is offline behind a captive portal, whatever answered lately', () => {
    expect(after(online, 'captive', now + 1)).toMatchObject({ verdict: 'offline', failures: 1 });
  });

  it('takes one timeout for a slow server and two for a dead link', () => {
    const once = after(unknownConnectivity, 'timeout');
    expect(once).toMatchObject({ verdict: 'unknown', failures: 1 });
    expect(after(once, 'timeout')).toMatchObject({ verdict: 'offline', failures: 2 });
    expect(after(online, 'timeout', now + 40_000)).toMatchObject({ verdict: 'unknown', since: now + 40_000 });
    expect(after(online, 'timeout', now + 10_000)).toBe(online);
    expect(after(offline, 'timeout')).toMatchObject({ verdict: 'offline', failures: 2 });
  });

  it('does not get better by a timeout, and what answered before a portal vouches for nothing behind it', () => {
    const resumed = afterHint(unknownConnectivity, 'online', now, options);
    const lost = after(resumed, 'rejected', now + 100);
    expect(lost).toMatchObject({ verdict: 'offline', failures: 0 });
    expect(after(lost, 'timeout', now + 200)).toMatchObject({ verdict: 'offline', failures: 0 });
    expect(after(after(online, 'captive', now + 1), 'rejected', now + 2)).toMatchObject({
      verdict: 'offline',
      failures: 2,
    });
  });

  it('vouches for a failure in the same millisecond', () => {
    expect(after(online, 'rejected', now)).toBe(online);
  });

  it('stays offline since it first was', () => {
    expect(after(offline, 'rejected', now + 9_000)).toMatchObject({ verdict: 'offline', since: now, failures: 2 });
  });
});

describe('while offline', () => {
  it('one probe goes at its time, ever more rarely', () => {
    expect(mayReach(offline, now + 1_999, false, options)).toEqual({ allowed: 0, nextAt: now + 2_000 });
    expect(mayReach(offline, now + 2_000, false, options)).toEqual({ allowed: 1 });
    let state = offline;
    const waits: number[] = [];
    for (let probe = 0; probe < 6; probe += 1) {
      const at = state.probeAt;
      state = after(state, 'rejected', at);
      waits.push(state.probeAt - at);
    }
    expect(waits).toEqual([4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('a hint lets one go before its time, and no more than one', () => {
    expect(mayReach(offline, now, true, options)).toEqual({ allowed: 1 });
    expect(mayReach(afterHint(offline, 'online', now + 10, options), now + 10, false, options)).toEqual({ allowed: 1 });
  });

  it('a clock that was turned back does not put the probe off', () => {
    expect(mayReach(offline, now + 2_000 - 62_000, false, options)).toMatchObject({ allowed: 0 });
    expect(mayReach(offline, now + 2_000 - 62_001, false, options)).toEqual({ allowed: 1 });
  });
});

describe('a hint', () => {
  it('opens a moment in which failures are held against nobody', () => {
    const resumed = afterHint(offline, 'online', now + 5_000, options);
    expect(resumed).toEqual({ ...offline, hintedAt: now + 5_000, probeAt: now + 2_000 });
    expect(isSettling(resumed, now + 4_999, options)).toBe(false);
    expect(isSettling(resumed, now + 5_000, options)).toBe(true);
    expect(isSettling(resumed, now + 6_999, options)).toBe(true);
    expect(isSettling(resumed, now + 7_000, options)).toBe(false);
    expect(isSettling(unknownConnectivity, 1_000, options)).toBe(false);
    const failed = afterAttempt(resumed, 'rejected', now + 5_800, 0.5, options);
    // Soon after the moment is over, and not as if it were the second failure.
    expect(failed).toMatchObject({ verdict: 'offline', failures: 1, probeAt: now + 7_500 });
    expect(after(failed, 'rejected', now + 7_500)).toMatchObject({ failures: 2, probeAt: now + 11_500 });
  });

  it('does not make offline of a first failure count', () => {
    const resumed = afterHint(unknownConnectivity, 'online', now, options);
    expect(after(resumed, 'rejected', now + 100)).toMatchObject({
      verdict: 'offline',
      failures: 0,
      probeAt: now + 2_000,
    });
    expect(after(resumed, 'timeout', now + 100)).toMatchObject({ verdict: 'unknown', failures: 0 });
  });

  it('that flaps is one hint', () => {
    let state = afterHint(offline, 'online', now + 5_000, options);
    state = after(state, 'rejected', now + 5_100);
    for (let flap = 0; flap < 20; flap += 1) {
      const next = afterHint(state, 'online', now + 5_100 + flap * 90, options);
      expect(next).toBe(state);
    }
    expect(afterHint(state, 'online', now + 7_000, options)).toMatchObject({
      hintedAt: now + 7_000,
      probeAt: now + 7_000,
    });
  });

  it('never puts a probe off', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2e6 }), fc.integer({ min: 0, max: 2e6 }), (probeAt, at) => {
        expect(afterHint({ ...offline, probeAt }, 'online', at, options).probeAt).toBeLessThanOrEqual(probeAt);
      }),
    );
  });

  it('of being offline forbids nothing, but has the next rejection believed', () => {
    const warned = afterHint(online, 'offline', now + 5, options);
    expect(warned).toEqual({ ...online, reachedAt: 0 });
    expect(mayReach(warned, now + 5)).toEqual({ allowed: Infinity });
    expect(after(warned, 'rejected', now + 6)).toMatchObject({ verdict: 'offline' });
    // Nothing vouches from the very beginning of time either.
    expect(after({ ...online, reachedAt: 0 }, 'rejected', 5)).toMatchObject({ verdict: 'offline' });
  });
});

describe('whatever happens', () => {
  it('it always says when to try again, within a minute and a bit', () => {
    const event = fc.record({
      what: fc.constantFrom('reached', 'captive', 'rejected', 'timeout', 'online', 'offline'),
      laterMs: fc.integer({ min: 0, max: 100_000 }),
      dice: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let state = unknownConnectivity;
        let at = now;
        for (const { what, laterMs, dice } of events) {
          state =
            what === 'online' || what === 'offline' ? afterHint(state, what, at) : afterAttempt(state, what, at, dice);
          const { allowed, nextAt } = mayReach(state, at);
          expect(nextAt === undefined).toBe(allowed > 0);
          if (nextAt !== undefined) {
            expect(nextAt).toBeGreaterThan(at);
            expect(nextAt).toBeLessThanOrEqual(at + 60_000);
            expect(mayReach(state, nextAt).allowed).toBe(1);
          }
          if (what === 'reached') expect(state.verdict).toBe('online');
          if (what === 'captive') expect(state.verdict).toBe('offline');
          at += laterMs;
        }
      }),
    );
  });
});
