import { describe, expect, it } from 'vitest';
import { sampleEntry } from '../testing/sample-entry';
import { noCounts } from './control';
import type { Entry } from './entry';
import { emptySnapshot, type OutboxStatus, viewOf } from './snapshot';

const why = { kind: 'due-now', until: null } as const;
const failure = { class: 'server', status: 500, message: '', at: 5 } as const;

describe('what pages see of an entry', () => {
  it('is its state, never its body, headers or key', () => {
    expect(viewOf(sampleEntry(7), why)).toEqual({
      id: 'entry-7',
      revision: 1,
      seq: 7,
      route: 'orders',
      lane: 'orders',
      method: 'POST',
      url: 'https://api.example/orders',
      title: 'POST /orders',
      state: 'pending',
      priority: 3,
      createdAt: 1_000,
      dueAt: 7_000,
      size: 2,
      type: 'application/json',
      attempts: 0,
      tries: 0,
      outcome: 'never-sent',
      history: [],
      verified: true,
      status: 0,
      replayed: false,
      replays: 0,
      waitsFor: [],
      why,
    });
    const text = JSON.stringify(viewOf(sampleEntry(7, { key: 'secret-key' }), null));
    expect(text).not.toMatch(/secret-key|headers|bytes/);
  });

  it('has everything there is to tell', () => {
    const told: Partial<Entry> = {
      title: 'Order 7',
      meta: { order: 7 },
      expiresAt: 0,
      firstFailure: failure,
      lastFailure: { ...failure, at: 6 },
      finishedAt: 0,
      dead: { reason: 'rejected', message: 'no', at: 6, triage: 'open' },
      waitsFor: ['a'],
    };
    expect(viewOf(sampleEntry(7, told), null)).toMatchObject({ ...told, why: null });
    const answer = { status: 422, headers: [], truncated: false, replayed: true, at: 6 };
    expect(viewOf(sampleEntry(7, { answer, verified: false }), null)).toMatchObject({
      status: 422,
      replayed: true,
      verified: false,
    });
  });

  it('has the path for a title where the app gives none', () => {
    const request = { ...sampleEntry(1).request, method: 'PUT', url: 'HTTPS://api.example:8443/docs/7?x=http://y/z' };
    expect(viewOf(sampleEntry(7, { request }), null).title).toBe('PUT /docs/7?x=http://y/z');
  });
});

describe('an empty snapshot', () => {
  it('says that nothing has been looked at yet', () => {
    const status = { durability: 'durable' } as OutboxStatus;
    expect(emptySnapshot(status)).toEqual({
      ready: false,
      revision: 0,
      at: 0,
      counts: noCounts,
      entries: [],
      oldestPendingAt: null,
      nextAttemptAt: null,
      connectivity: 'unknown',
      paused: null,
      signInNeeded: false,
      suspects: [],
      status,
    });
  });
});
