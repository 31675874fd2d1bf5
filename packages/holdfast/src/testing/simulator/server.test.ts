import { describe, expect, it } from 'vitest';
import { problemTypes } from '../../core/problem-types';
import { scenarioFrom, type ScenarioChanges } from './scenario';
import { createServer } from './server';

/** Ten requests a second, warm at once, three in line, turning away costs nothing. */
const small = { perSecond: 10, queue: 3, coldShare: 1, warmUpMs: 0, turnAwayShare: 0 };
const serverOf = (changes: ScenarioChanges = {}) =>
  createServer(scenarioFrom({ outageMs: 0, server: small, ...changes }));

describe('the simulated server', () => {
  it('does one request after another, and turns away what does not fit into its line', () => {
    const server = serverOf();
    expect(['a', 'b', 'c', 'd'].map((key) => server.take(key, 0))).toEqual([
      { status: 201, at: 100 },
      { status: 201, at: 200 },
      { status: 201, at: 300 },
      { status: 503, at: 0 },
    ]);
    expect(server.take('d', 100)).toEqual({ status: 201, at: 400 });
  });

  it('says how long to stay away when it is told to', () => {
    const server = serverOf({ server: { ...small, queue: 1, retryAfterMs: 5_000 } });
    server.take('a', 0);
    expect(server.take('b', 0)).toEqual({ status: 503, at: 0, retryAfterMs: 5_000 });
  });

  it('does nothing twice: what it is doing is in progress, what it has done is answered again at once', () => {
    const server = serverOf();
    server.take('a', 0);
    expect(server.take('a', 50)).toEqual({ status: 409, at: 50, problemType: problemTypes.inProgress });
    expect(server.take('a', 150)).toEqual({ status: 201, at: 150 });
    expect(server.take('b', 150)).toEqual({ status: 201, at: 250 });
  });

  it('is slower while it is cold', () => {
    const server = serverOf({ outageMs: 1_000, server: { ...small, coldShare: 0.5, warmUpMs: 10_000 } });
    expect(server.take('a', 1_000).at).toBe(1_200);
    expect(server.take('b', 6_000).at).toBeCloseTo(6_000 + 1_000 / 7.5);
    expect(server.take('c', 60_000).at).toBe(60_100);
  });

  it('is slowed down by those it turns away, and recovers when they stay away', () => {
    const server = serverOf({ server: { ...small, queue: 1, turnAwayShare: 0.1 } });
    server.take('a', 0);
    for (let nth = 0; nth < 50; nth += 1) server.take(`turned-away-${nth}`, 0);
    expect(server.take('b', 100).at).toBeGreaterThan(250);
    expect(server.take('c', 20_000).at).toBeCloseTo(20_100);
  });

  it('answers while it is down with what stands in front of it, or with nothing', () => {
    const outageMs = 1_000;
    const busy = { kind: 'answers', status: 503, retryAfterMs: 9_000 } as const;
    expect(serverOf({ outageMs, outage: busy }).take('a', 999)).toEqual({ status: 503, at: 999, retryAfterMs: 9_000 });
    expect(serverOf({ outageMs, outage: { kind: 'answers', status: 502 } }).take('a', 0)).toEqual({
      status: 502,
      at: 0,
    });
    expect(serverOf({ outageMs, outage: { kind: 'hangs' } }).take('a', 0)).toEqual({ status: 0, at: Infinity });
    expect(serverOf({ outageMs, outage: busy }).take('a', 1_000)).toEqual({ status: 201, at: 1_100 });
  });
});
