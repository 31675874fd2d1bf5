import { describe, expect, it } from 'vitest';
import { resolveConfig } from '../core/config';
import { coverage } from '../core/plan';
import { defaultRetentionMinutes, laneOfQueue, routeOfQueue, workboxOutbox } from './policy';
import { retentionOf } from './outbox';

describe('the policy of Workbox queues', () => {
  const { retry } = resolveConfig({ ...workboxOutbox, routes: [routeOfQueue('api')] }).routeNamed('api');

  it('asks a server that is ill for at least a day', () => {
    for (const kind of ['server', 'overload'] as const) {
      const { minMs, longestWaitMs } = coverage({ backoff: retry.backoff, retries: retry.budgets[kind] });
      expect(minMs).toBeGreaterThan(86_400_000);
      expect(longestWaitMs).toBe(900_000);
    }
  });

  it('never gives up for want of a network', () => {
    expect(retry.budgets).toMatchObject({ network: Infinity, timeout: Infinity });
  });

  it('keeps a request for seven days, also where 0 was given', () => {
    for (const minutes of [undefined, 0, defaultRetentionMinutes]) expect(retentionOf(minutes)).toBe(7 * 86_400_000);
    expect(retentionOf(5)).toBe(300_000);
  });

  it('has a lane for any name', () => {
    expect(laneOfQueue('two\r\nlines')).toBe('two lines');
    expect(() => resolveConfig({ ...workboxOutbox, routes: [routeOfQueue('a\nb: "c"')] })).not.toThrow();
  });
});
