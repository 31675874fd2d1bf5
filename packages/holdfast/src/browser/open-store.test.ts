import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyIndexedDb, faultyIndexedDb } from '../testing/faulty-idb';
import { fakeSystem } from '../testing/fake-system';
import { sampleEntry } from '../testing/sample-entry';
import { storeContract } from '../testing/store.contract';
import { type OpenedStore, openStore } from './open-store';
import type { OutsideMarker, OutsideNote } from './outside-marker';
import { databaseName } from './schema';

let faulty: FaultyIndexedDb;
let made = 0;
beforeEach(() => void (faulty = faultyIndexedDb()));
afterEach(() => faulty.restore());

const outbox = () => `opened-${(made += 1)}`;
const put = (store: OpenedStore) => store.transact('strict', (rows) => rows.put(sampleEntry(1)));
const count = (store: OpenedStore) => store.transact('read', async (rows) => (await rows.scan(0, 99)).length);
const deny = (error: string, how: 'throw' | 'fail') => {
  for (const nth of [1, 2]) faulty.inject({ step: 'open', nth, how, error });
};

/** What a page keeps outside of IndexedDB. */
function memo(): OutsideMarker & { note: OutsideNote | undefined } {
  const marker = {
    note: undefined as OutsideNote | undefined,
    read: () => marker.note,
    write: (note: OutsideNote) => void (marker.note = note),
    forget: () => void (marker.note = undefined),
  };
  return marker;
}
const remove = (name: string) =>
  new Promise((resolve) => (indexedDB.deleteDatabase(databaseName(name)).onsuccess = resolve));

describe('the opened store keeps the contract: it', () => {
  for (const { title, run } of storeContract(() => openStore(outbox(), { system: fakeSystem() }))) it(title, run);
});

describe('where the browser denies storage', () => {
  for (const [what, error, how] of [
    ['throws at the call', 'SecurityError', 'throw'],
    ['fails the request', 'InvalidStateError', 'fail'],
  ] as const) {
    it(`(${what}) it goes on in memory and says so`, async () => {
      deny(error, how);
      const store = openStore(outbox(), { system: fakeSystem() });
      await put(store);
      expect(await count(store)).toBe(1);
      expect(store.status()).toMatchObject({ durability: 'memory', problem: { code: 'storage-unavailable' } });
      expect(await store.keepsBlobs()).toBe(true);
    });
  }

  it('(there is no IndexedDB at all) it goes on in memory and says so', async () => {
    const { indexedDB } = globalThis;
    Reflect.deleteProperty(globalThis, 'indexedDB');
    try {
      const store = openStore(outbox(), { system: fakeSystem() });
      await put(store);
      expect(store.status().durability).toBe('memory');
    } finally {
      globalThis.indexedDB = indexedDB;
    }
  });
});

describe('a failure that may pass', () => {
  it('is thrown, never papered over with an empty queue in memory', async () => {
    const name = outbox();
    await put(openStore(name, { system: fakeSystem() }));
    deny('UnknownError', 'fail');
    const store = openStore(name, { system: fakeSystem() });
    await expect(put(store)).rejects.toMatchObject({ code: 'storage-unavailable' });
    expect(store.status()).toMatchObject({ durability: 'durable', problem: { code: 'storage-unavailable' } });
    expect(await count(store)).toBe(1);
    expect(store.status()).toEqual({ durability: 'durable' });
  });

  it('of a connection that had worked never turns into memory mode', async () => {
    const store = openStore(outbox(), { system: fakeSystem() });
    await put(store);
    for (const nth of [1, 2]) faulty.inject({ step: 'transaction', nth, how: 'throw', error: 'InvalidStateError' });
    await expect(count(store)).rejects.toMatchObject({ code: 'storage-unavailable' });
    expect(store.status().durability).toBe('durable');
    expect(await count(store)).toBe(1);
  });

  it('while it writes down who it is keeps nobody from the queue', async () => {
    faulty.inject({ step: 'write', nth: 1, how: 'fail', error: 'QuotaExceededError' });
    const store = openStore(outbox(), { system: fakeSystem() });
    expect(await count(store)).toBe(0);
  });
});

describe('eviction', () => {
  it('is not reported on the first visit, nor when all is there', async () => {
    const name = outbox();
    const marker = memo();
    for (const now of [1_000, 2_000]) {
      const store = openStore(name, { system: fakeSystem({ now }), marker });
      await put(store);
      expect(store.status()).toEqual({ durability: 'durable' });
      store.close();
    }
    expect(marker.note).toEqual({ createdAt: 1_000, waiting: 0 });
  });

  it('is reported once, with since when and how many waited', async () => {
    const name = outbox();
    const marker = memo();
    const first = openStore(name, { system: fakeSystem({ now: Date.UTC(2026, 0, 5) }), marker });
    await put(first);
    first.noteWaiting(3);
    first.close();
    await remove(name);

    const second = openStore(name, { system: fakeSystem({ now: Date.UTC(2026, 0, 20) }), marker });
    expect(await count(second)).toBe(0);
    expect(second.status().problem).toEqual({
      code: 'evicted',
      message: 'The browser removed the requests stored here since 2026-01-05. 3 were waiting when it was last seen.',
    });
    second.close();
    const third = openStore(name, { system: fakeSystem(), marker });
    await count(third);
    expect(third.status().problem).toBeUndefined();
  });

  it('is noticed by a page although a worker, which has no web storage, came first', async () => {
    const name = outbox();
    const marker = memo();
    const page = openStore(name, { system: fakeSystem({ now: 1_000 }), marker });
    await put(page);
    page.close();
    await remove(name);
    const worker = openStore(name, {
      system: fakeSystem({ now: 5_000 }),
      marker: { read: () => undefined, write: () => undefined, forget: () => undefined },
    });
    await put(worker);
    const again = openStore(name, { system: fakeSystem({ now: 6_000 }), marker });
    await count(again);
    expect(again.status().problem?.code).toBe('evicted');
  });
});

describe('the name of the device', () => {
  it('is random, and stays with the store', async () => {
    const name = outbox();
    const first = openStore(name, { system: fakeSystem({ seed: 1 }) });
    await put(first);
    const second = openStore(name, { system: fakeSystem({ seed: 2 }) });
    expect(second.device()).not.toBe(first.device());
    await count(second);
    expect(second.device()).toBe(first.device());
  });
});
