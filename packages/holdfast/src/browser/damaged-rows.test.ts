import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { emptyBook, noCounts } from '../core/control';
import type { Entry } from '../core/entry';
import { bucketOf, indexKeys } from '../core/index-keys';
import { rig, rigOrigin, type Rig } from '../testing/rig';
import { sampleEntry } from '../testing/sample-entry';
import { idbStore } from './idb-store';
import { writeRaw } from './raw-rows.fixture';
import { system } from './system';

let made = 0;

function ours(seq: number, changes: Partial<Entry> = {}): Entry {
  const request = { ...sampleEntry(seq).request, url: `${rigOrigin}/orders` };
  return sampleEntry(seq, { route: 'api', lane: null, subject: '', dueAt: 0, request, ...changes });
}

/** An outbox that finds these rows, as counted when they were sound. */
async function found(rows: readonly object[]): Promise<Rig> {
  const name = `damaged-${(made += 1)}`;
  const store = idbStore(name, { system });
  await store.refusal();
  expect(await writeRaw(name, rows)).toHaveLength(rows.length);
  await store.transact('strict', (sheet) =>
    sheet.putControl('book', {
      ...emptyBook,
      nextSeq: rows.length + 1,
      buckets: { [bucketOf(ours(1))]: rows.length },
      subjects: { '': { ...noCounts, pending: rows.length } },
    }),
  );
  return rig({ store });
}

const rowOf = (entry: Entry, damage: object = {}): object => ({ ...entry, ...damage, k: indexKeys(entry) });

describe('rows that were damaged', () => {
  it('are listed and counted as dead letters, and do not keep the scheduler from what stands behind them', async () => {
    const many = Array.from({ length: 70 }, (_, n) => rowOf(ours(n + 1), { waitsFor: true }));
    const { engine, all, store } = await found([...many, rowOf(ours(71))]);
    await engine.drain.wake('person');
    expect((await all()).at(-1)?.state).toBe('delivered');
    const shelf = await store.transact('read', (sheet) => sheet.list({ subject: '', state: 'dead', limit: 100 }));
    expect(shelf).toHaveLength(70);
    expect(shelf[0]).toMatchObject({ dead: { reason: 'unreadable', triage: 'open' }, raw: { waitsFor: true } });
    const book = await store.transact('read', (sheet) => sheet.control('book'));
    expect(book?.subjects['']).toMatchObject({ pending: 0, dead: 70, open: 70, delivered: 1 });
    expect(book?.buckets).toEqual({});
  });

  it('let their lane go on, also when several follow each other', async () => {
    const line = [1, 2, 3, 4].map((seq) => ours(seq, { lane: 'docs', head: seq === 1 }));
    const { engine, all } = await found(line.map((entry, n) => rowOf(entry, n < 3 ? { history: 'none' } : {})));
    await engine.drain.wake('person');
    expect((await all()).map(({ state }) => state)).toEqual(['dead', 'dead', 'dead', 'delivered']);
  });

  it('are sent when only the keys they lie under were not theirs', async () => {
    const { engine, all } = await found([rowOf(ours(1), { lane: 'docs' }), rowOf(ours(2))]);
    await engine.drain.wake('person');
    expect((await all()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  it('are not looked at again where they do not belong', async () => {
    const done = Array.from({ length: 40 }, (_, n) =>
      rowOf(ours(n + 1), { state: 'delivered', outcome: 'answered', finishedAt: 999_999 }),
    );
    const { engine, all } = await found([...done, rowOf(ours(41))]);
    await engine.drain.wake('person');
    expect((await all()).at(-1)?.state).toBe('delivered');
  });
});
