import { describe, expect, it } from 'vitest';
import { laneKeyOf } from '../core/index-keys';
import type { Rows } from '../ports';
import { memoryStore } from '../testing/memory-store';
import { sampleEntry } from '../testing/sample-entry';
import { readAhead, type Questions } from './read-ahead';

const laneKey = laneKeyOf('', 'all');
const inLane = (seq: number) => sampleEntry(seq, { subject: '', lane: 'all', head: seq === 1 });

/** Rows with two in one line, and what is asked of them from here on. */
async function ahead<T>(
  questions: Questions,
  work: (rows: Rows, asked: readonly string[], plain: Rows) => Promise<T>,
): Promise<T> {
  const store = memoryStore();
  return store.transact('relaxed', async (plain) => {
    for (const seq of [1, 2]) await plain.put(inLane(seq));
    const asked: string[] = [];
    const watched: Rows = {
      ...plain,
      byKey: (key) => (asked.push(key), plain.byKey(key)),
      laneTail: (lane) => (asked.push(lane), plain.laneTail(lane)),
    };
    return work(readAhead(watched, questions), asked, plain);
  });
}

describe('questions asked ahead', () => {
  it('go out at once and once each, and are answered as ever', async () => {
    const questions = { keys: ['key-1', 'new', 'key-1'], laneKeys: [laneKey, laneKey] };
    await ahead(questions, async (rows, asked) => {
      expect(asked).toEqual(['key-1', 'new', laneKey]);
      expect(await rows.byKey('key-1')).toMatchObject({ seq: 1 });
      expect(await rows.byKey('new')).toBeUndefined();
      expect(await rows.laneTail(laneKey)).toBe(2);
      expect(asked).toHaveLength(3);
    });
  });

  it('leave others to be asked when they come up', async () => {
    await ahead({ keys: [], laneKeys: [] }, async (rows, asked) => {
      expect(await rows.byKey('key-2')).toMatchObject({ seq: 2 });
      expect(await rows.laneTail(laneKey)).toBe(2);
      expect(asked).toEqual(['key-2', laneKey]);
    });
  });

  it('see what is written after them: a new row under its key, and at the end of its line', async () => {
    await ahead({ keys: ['key-3'], laneKeys: [laneKey, laneKeyOf('', 'empty')] }, async (rows) => {
      await rows.put(inLane(3));
      expect(await rows.byKey('key-3')).toMatchObject({ seq: 3 });
      expect(await rows.laneTail(laneKey)).toBe(3);
      await rows.put(sampleEntry(4, { subject: '', lane: 'empty' }));
      expect(await rows.laneTail(laneKeyOf('', 'empty'))).toBe(4);
    });
  });

  it('see who leaves a line, be it by an end or by being forgotten', async () => {
    await ahead({ keys: ['key-2'], laneKeys: [laneKey] }, async (rows) => {
      const dead = { reason: 'rejected', message: 'no', at: 1, triage: 'open' } as const;
      await rows.put({ ...inLane(2), state: 'dead', dead, finishedAt: 1 });
      expect(await rows.laneTail(laneKey)).toBe(1);
      expect(await rows.byKey('key-2')).toMatchObject({ state: 'dead' });
      await rows.remove(1);
      expect(await rows.laneTail(laneKey)).toBeUndefined();
    });
    await ahead({ keys: ['key-2'], laneKeys: [laneKey] }, async (rows) => {
      await rows.remove(2);
      expect(await rows.byKey('key-2')).toBeUndefined();
      expect(await rows.laneTail(laneKey)).toBe(1);
    });
  });

  it('let a refused row change no answer', async () => {
    await ahead({ keys: ['key-1'], laneKeys: [laneKey] }, async (rows) => {
      await expect(rows.put({ ...inLane(9), key: 'key-1' })).rejects.toMatchObject({ code: 'duplicate-key' });
      expect(await rows.byKey('key-1')).toMatchObject({ seq: 1 });
      expect(await rows.laneTail(laneKey)).toBe(2);
    });
  });
});
