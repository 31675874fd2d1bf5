import { describe, expect, it } from 'vitest';
import { sampleEntry } from '../testing/sample-entry';
import { bucketOf, bucketParts, indexKeys, laneKeyOf, originOf } from './index-keys';

const bucket = 'ann\nhttps://api.example\norders\n3';

describe('a bucket', () => {
  it('is what entries share that pass the same gates, and can be taken apart again', () => {
    expect(bucketOf(sampleEntry(1))).toBe(bucket);
    expect(bucketParts(bucket)).toEqual({
      subject: 'ann',
      origin: 'https://api.example',
      route: 'orders',
      priority: 3,
      bulky: false,
    });
    const bulky = bucketOf(sampleEntry(1, { bulky: true }));
    expect(bulky).not.toBe(bucket);
    expect(bucketParts(bulky)).toEqual({ ...bucketParts(bucket), bulky: true });
    expect(bucketParts('')).toEqual({ subject: '', origin: '', route: '', priority: 3, bulky: false });
  });
});

describe('originOf', () => {
  it.each([
    ['https://api.example:8443/orders?x=https://other.example', 'https://api.example:8443'],
    ['http://api.example?x', 'http://api.example'],
    ['HTTP://api.example#x', 'HTTP://api.example'],
    ['capacitor+x.y-z://localhost/a', 'capacitor+x.y-z://localhost'],
    ['/orders', ''],
    ['x https://api.example', ''],
    ['1s://api.example', ''],
    ['mailto:a@b', ''],
  ])('%s is of %j', (url, origin) => {
    expect(originOf(url)).toBe(origin);
  });
});

describe('laneKeyOf', () => {
  it('keeps lanes of different people apart', () => {
    expect(laneKeyOf('ann', 'orders')).toBe('ann\norders');
  });
});

describe('indexKeys', () => {
  it('shows a head in line to the scheduler at its due time', () => {
    expect(indexKeys(sampleEntry(7))).toEqual({
      shelf: ['ann', 'pending', 7],
      ready: [bucket, 7_000, 7],
      queue: ['ann\norders', 7],
    });
  });

  it('hides from it who stands behind or waits for another entry', () => {
    expect(indexKeys(sampleEntry(7, { head: false }))).toEqual({
      shelf: ['ann', 'pending', 7],
      queue: ['ann\norders', 7],
    });
    expect(indexKeys(sampleEntry(7, { waitsFor: ['x'] })).ready).toBeUndefined();
    expect(indexKeys(sampleEntry(7, { waitsFor: [] })).ready).toEqual([bucket, 7_000, 7]);
  });

  it('shows one being sent at the end of its lease', () => {
    const lease = { owner: 'tab', token: 1, until: 99_000 };
    const sending = sampleEntry(7, { state: 'sending', head: false, waitsFor: ['x'], lease });
    expect(indexKeys(sending)).toEqual({
      shelf: ['ann', 'sending', 7],
      ready: [bucket, 99_000, 7],
      queue: ['ann\norders', 7],
    });
    const { lease: _gone, ...without } = sending;
    expect(indexKeys(without).ready).toEqual([bucket, 7_000, 7]);
  });

  it('has no line for the unordered', () => {
    expect(indexKeys(sampleEntry(7, { lane: null })).queue).toBeUndefined();
  });

  it('keeps deadlines and replacements in sight only while an entry waits', () => {
    const both = { expiresAt: 50, supersedes: 'doc-7' };
    for (const state of ['pending', 'sending'] as const) {
      expect(indexKeys(sampleEntry(7, { ...both, state }))).toMatchObject({ expires: 50, replaceable: 'doc-7' });
    }
    expect(indexKeys(sampleEntry(7, { expiresAt: 0 }))).toMatchObject({ expires: 0 });
    for (const state of ['delivered', 'dead'] as const) {
      expect(indexKeys(sampleEntry(7, { ...both, state }))).toEqual({ shelf: ['ann', state, 7] });
    }
  });

  it('lets retention find what is delivered or closed, never an open dead letter', () => {
    const dead = { reason: 'rejected', message: '', at: 40, triage: 'open' } as const;
    expect(indexKeys(sampleEntry(7, { state: 'delivered', finishedAt: 40 })).done).toEqual(['delivered', 40]);
    expect(indexKeys(sampleEntry(7, { state: 'dead', finishedAt: 40, dead })).done).toBeUndefined();
    expect(indexKeys(sampleEntry(7, { state: 'dead', finishedAt: 40, dead: { ...dead, closedAt: 60 } })).done).toEqual([
      'dead',
      60,
    ]);
    expect(indexKeys(sampleEntry(7, { finishedAt: 40, dead: { ...dead, closedAt: 60 } })).done).toBeUndefined();
  });

  it('keeps a dead one in line that holds its lane', () => {
    const held = sampleEntry(7, { state: 'dead', holdsLane: true });
    expect(indexKeys(held)).toEqual({ shelf: ['ann', 'dead', 7], queue: ['ann\norders', 7] });
    expect(indexKeys({ ...held, lane: null }).queue).toBeUndefined();
  });
});
