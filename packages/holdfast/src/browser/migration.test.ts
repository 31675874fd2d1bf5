import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { fakeSystem } from '../testing/fake-system';
import { loadBody } from './bodies';
import { idbStore } from './idb-store';
import { buildSchemaV1 } from './schema-v1.fixture';

let made = 0;

async function opened() {
  const name = `v1-${(made += 1)}`;
  await buildSchemaV1(name);
  return idbStore(name, { system: fakeSystem() });
}

describe('rows of schema version 1', () => {
  it('are all found, in order, with everything they hold', async () => {
    const store = await opened();
    const entries = await store.transact('read', (rows) => rows.scan(0, 99));
    expect(entries.map(({ seq, state }) => [seq, state])).toEqual([
      [1, 'pending'],
      [2, 'sending'],
      [3, 'dead'],
      [4, 'dead'],
      [5, 'dead'],
    ]);
    expect(entries[0]).toMatchObject({ key: 'BBBBBBBBBBBBBBBBBBBB1', outcome: 'never-sent', lane: 'orders' });
    expect(entries[1]).toMatchObject({ spent: { server: 1 }, lease: { token: 7 }, firstUnknownAt: 1_770_000_000_900 });
    expect(entries[2]).toMatchObject({ dead: { reason: 'rejected', triage: 'open' } });
    const sentinel = await store.transact('read', (rows) => rows.control('sentinel'));
    expect(sentinel?.device).toBe('V1StGXR8_Z5jdHi6B-myT');
  });

  it('are due, stand in line and are listed as they were', async () => {
    const store = await opened();
    await store.transact('read', async (rows) => {
      const due = await rows.ready('\nhttps://shop.example\norders\n3', 1_770_000_000_500, 9);
      expect(due.map((entry) => entry.seq)).toEqual([1]);
      expect(await rows.nextReadyAt('ann\nhttps://shop.example\nphotos\n5')).toBe(1_770_000_060_000);
      expect((await rows.lane('\norders', 9)).map((entry) => entry.seq)).toEqual([1]);
      expect((await rows.list({ subject: '', state: 'dead', limit: 9 })).map((entry) => entry.seq)).toEqual([3]);
      expect((await rows.byKey('BBBBBBBBBBBBBBBBBBBB2'))?.seq).toBe(2);
    });
  });

  it('have their bodies, inline and apart', async () => {
    const store = await opened();
    const [first, second] = await store.transact('read', (rows) => rows.scan(0, 2));
    expect(new TextDecoder().decode((await loadBody(store, first!)) as Uint8Array)).toBe('{"order":"1"}');
    expect(await ((await loadBody(store, second!)) as Blob).text()).toBe('HOLDFAST');
  });

  it('keep fields of the future when they change', async () => {
    const store = await opened();
    const changed = await store.transact('strict', async (rows) => {
      await rows.put({ ...(await rows.bySeq(2))!, state: 'pending', revision: 5 });
      return rows.bySeq(2);
    });
    expect(changed).toMatchObject({ state: 'pending', aFieldOfTheFuture: { kept: ['as', 'it', 'is'] } });
  });
});

describe('a row that cannot be understood', () => {
  it('hides no other, and is a dead letter `unreadable` with its raw content', async () => {
    const store = await opened();
    const [, broken] = await store.transact('read', (rows) => rows.list({ subject: '', state: 'pending', limit: 9 }));
    expect(broken).toMatchObject({
      seq: 4,
      id: 'AAAAAAAAAAAAAAAAAAAA4',
      key: 'BBBBBBBBBBBBBBBBBBBB4',
      state: 'dead',
      dead: { reason: 'unreadable', triage: 'open' },
      raw: { note: 'what is left of it', request: 'POST /api/orders' },
    });
  });

  it('stays as it was while it is only read', async () => {
    const store = await opened();
    const read = () => store.transact('read', (rows) => rows.bySeq(4));
    expect(await read()).toEqual(await read());
    expect((await read())?.finishedAt).toBeUndefined();
  });

  it('is found by a walk over all rows even when no index finds it, under a name of its own', async () => {
    const store = await opened();
    const [lost] = await store.transact('read', (rows) => rows.scan(4, 9));
    expect(lost).toMatchObject({ seq: 5, id: 'unreadable-5', dead: { reason: 'unreadable' }, raw: { lost: true } });
  });

  it('leaves the queue and joins the dead letters when it is put aside, and is then read as any other', async () => {
    const store = await opened();
    await store.transact('strict', async (rows) => {
      for (const entry of await rows.scan(3, 9)) await rows.put({ ...entry, finishedAt: 1_780_000_000_000 });
    });
    await store.transact('read', async (rows) => {
      expect((await rows.list({ subject: '', state: 'dead', limit: 9 })).map((entry) => entry.seq)).toEqual([3, 4, 5]);
      expect(await rows.ready('\nhttps://shop.example\norders\n3', Infinity, 9)).toHaveLength(1);
      expect(await rows.bySeq(5)).toMatchObject({ finishedAt: 1_780_000_000_000, raw: { lost: true } });
    });
  });

  it('says so when a newer version made it', async () => {
    const store = await opened();
    const odd = { seq: 6, v: 2, id: 'six', key: 'six', shape: 'new' };
    const db = await new Promise<IDBDatabase>((resolve) => {
      const open = indexedDB.open(`holdfast:v1-${made}`);
      open.onsuccess = () => resolve(open.result);
    });
    await new Promise(
      (resolve) => (db.transaction('entries', 'readwrite').objectStore('entries').put(odd).onsuccess = resolve),
    );
    expect((await store.transact('read', (rows) => rows.bySeq(6)))?.dead?.message).toMatch(/newer version/);
  });
});
