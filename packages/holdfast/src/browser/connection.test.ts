import 'fake-indexeddb/auto';
import { forceCloseDatabase } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fault, type FaultyIndexedDb, faultyIndexedDb } from '../testing/faulty-idb';
import { fakeSystem } from '../testing/fake-system';
import { sampleEntry } from '../testing/sample-entry';
import { idbStore } from './idb-store';
import { databaseName } from './schema';

let faulty: FaultyIndexedDb;
let made = 0;
beforeEach(() => void (faulty = faultyIndexedDb()));
afterEach(() => faulty.restore());

/** A fake IndexedDB needs some turns of the event loop for each request. */
const clock = () => fakeSystem({ settleTurns: 30 });
const outbox = () => `connection-${(made += 1)}`;
const put = (store: ReturnType<typeof idbStore>, seq = 1) =>
  store.transact('strict', (rows) => rows.put(sampleEntry(seq)));
const count = (store: ReturnType<typeof idbStore>) =>
  store.transact('read', async (rows) => (await rows.scan(0, 99)).length);

/** Opens a database as another tab would; it does not let go when asked, unless told to. */
function otherTab(name: string, version?: number, upgrade?: (db: IDBDatabase) => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName(name), version);
    request.onupgradeneeded = () => upgrade?.(request.result);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });
}

async function outcome(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'done',
    (error: unknown) => String((error as { code: string }).code),
  );
}

describe('opening', () => {
  const hang = (how: Fault['how'], nth: number): Fault => ({ step: 'open', nth, how, error: 'UnknownError' });

  it('that hangs the first time is tried once more', async () => {
    const system = clock();
    const store = idbStore(outbox(), { system });
    faulty.inject(hang('hang', 1));
    const done = outcome(put(store));
    await system.passMs(5_000);
    expect(await done).toBe('done');
    expect(system.timers()).toBe(0);
  });

  it('that never ends ends in an error all the same', async () => {
    const system = clock();
    const store = idbStore(outbox(), { system, openTimeoutMs: 700 });
    for (const nth of [1, 2]) faulty.inject(hang('hang', nth));
    const done = outcome(put(store));
    await system.passMs(1_400);
    expect(await done).toBe('storage-unavailable');
    expect(store.status().problem?.code).toBe('storage-unavailable');
    expect(await outcome(put(store))).toBe('done');
    expect(store.status().problem).toBeUndefined();
  });

  it('that waits behind an old tab ends in `storage-blocked`, without waiting twice', async () => {
    const system = clock();
    const store = idbStore(outbox(), { system });
    faulty.inject(hang('blocked', 1));
    const done = outcome(put(store));
    await system.passMs(5_000);
    expect(await done).toBe('storage-blocked');
  });

  it('that queues behind somebody else’s blocked upgrade ends in bounded time', async () => {
    const system = clock();
    const name = outbox();
    await put(idbStore(name, { system }));
    const stubborn = await otherTab(name);
    const upgrading = otherTab(name, 2);
    const store = idbStore(name, { system });
    const done = outcome(put(store));
    await system.passMs(10_000);
    expect(await done).toBe('storage-unavailable');
    stubborn.close();
    (await upgrading).close();
  });

  it('does not keep a handle that comes after it gave up', async () => {
    const system = clock();
    const name = outbox();
    await put(idbStore(name, { system }));
    const stubborn = await otherTab(name);
    const deleting = indexedDB.deleteDatabase(databaseName(name));
    const deleted = new Promise((resolve) => (deleting.onsuccess = resolve));
    const done = outcome(put(idbStore(name, { system })));
    await system.passMs(10_000);
    expect(await done).toBe('storage-unavailable');
    const { close } = IDBDatabase.prototype;
    const closed = new Set<IDBDatabase>();
    IDBDatabase.prototype.close = function () {
      closed.add(this);
      close.call(this);
    };
    try {
      stubborn.close();
      await deleted;
      // Both tries come through now, one after the other.
      for (let turn = 0; turn < 10; turn += 1) await system.settle();
    } finally {
      IDBDatabase.prototype.close = close;
    }
    expect(closed.size).toBe(3);
  });
});

describe('a database of a newer version', () => {
  it('is used as it is while it has all that is needed, and nothing in it is lost', async () => {
    const system = clock();
    const name = outbox();
    const old = idbStore(name, { system });
    await put(old, 1);
    const newer = await otherTab(name, 7, (db) => db.createObjectStore('of-the-future'));
    newer.close();
    await put(old, 2);
    const another = idbStore(name, { system });
    await put(another, 3);
    expect(await count(another)).toBe(3);
    expect((await otherTab(name)).objectStoreNames).toContain('of-the-future');
  });

  it('that lacks something needed is left alone, with an error that says what to do', async () => {
    const system = clock();
    const name = outbox();
    const first = idbStore(name, { system });
    await put(first);
    first.close();
    (await otherTab(name, 2, (db) => db.deleteObjectStore('control'))).close();
    const store = idbStore(name, { system });
    await expect(put(store)).rejects.toMatchObject({
      code: 'storage-newer',
      message: expect.stringContaining('Reload') as string,
    });
    expect([...(await otherTab(name)).objectStoreNames]).toEqual(['bodies', 'entries']);
  });
});

describe('an open handle', () => {
  it('lets go when another version wants the database, and opens again when it is needed', async () => {
    const system = clock();
    const name = outbox();
    const store = idbStore(name, { system });
    await put(store);
    (await otherTab(name, 2)).close();
    expect(await count(store)).toBe(1);
  });

  it('that the browser closed is opened again', async () => {
    const system = clock();
    const name = outbox();
    const store = idbStore(name, { system });
    const handles: IDBDatabase[] = [];
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function (...args) {
      handles.push(this);
      return transaction.apply(this, args);
    };
    try {
      await put(store, 1);
      forceCloseDatabase(handles[0] as unknown as Parameters<typeof forceCloseDatabase>[0]);
      await system.settle();
      await put(store, 2);
    } finally {
      IDBDatabase.prototype.transaction = transaction;
    }
    expect(await count(store)).toBe(2);
    expect(handles[0]).not.toBe(handles.at(-1));
  });

  it('says so when the database was cleared under it', async () => {
    const system = clock();
    const name = outbox();
    let cleared = 0;
    const store = idbStore(name, { system, onCleared: () => void (cleared += 1) });
    await put(store);
    expect(cleared).toBe(0);
    await new Promise((resolve) => (indexedDB.deleteDatabase(databaseName(name)).onsuccess = resolve));
    expect(await count(store)).toBe(0);
    expect(cleared).toBe(1);
    expect(store.status().problem?.code).toBe('evicted');
  });

  it('is shared by callers that come together, and one dead handle is replaced once', async () => {
    const system = clock();
    const store = idbStore(outbox(), { system });
    let opens = 0;
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...args) {
      opens += 1;
      return open.apply(this, args);
    };
    try {
      await Promise.all([put(store, 1), put(store, 2), count(store)]);
      expect(opens).toBe(1);
      for (const nth of [1, 2, 3])
        faulty.inject({ step: 'transaction', nth, how: 'throw', error: 'InvalidStateError' });
      await Promise.all([put(store, 3), put(store, 4), count(store)]);
      expect(opens).toBe(2);
    } finally {
      IDBFactory.prototype.open = open;
    }
  });

  it('is not opened by a store that was closed while it was opening', async () => {
    const system = clock();
    const store = idbStore(outbox(), { system });
    const early = outcome(put(store));
    store.close();
    expect(await early).toBe('closed');
    expect(await outcome(put(store))).toBe('closed');
  });
});

describe('a transaction that the engine says nothing more of', () => {
  const hang = (step: Fault['step']): Fault => ({ step, nth: 1, how: 'hang', error: 'UnknownError' });
  const add = (store: ReturnType<typeof idbStore>) =>
    store.transact('strict', async (rows) => {
      const known = await rows.bySeq(1);
      if (!known) await rows.put(sampleEntry(1));
    });

  it.each(['read', 'commit'] as const)('at a %s is given up and done again, once', async (step) => {
    const system = clock();
    const store = idbStore(outbox(), { system });
    await count(store);
    faulty.inject(hang(step));
    const done = outcome(add(store));
    await system.passMs(59_000);
    expect(await Promise.race([done, Promise.resolve('waiting')])).toBe('waiting');
    await system.passMs(1_000);
    expect(await done).toBe('done');
    expect(await count(store)).toBe(1);
    expect(system.timers()).toBe(0);
  });

  it('twice in a row ends in an error that says so, and the next use works', async () => {
    const system = clock();
    const store = idbStore(outbox(), { system });
    await count(store);
    faulty.inject(hang('read'));
    faulty.inject({ ...hang('read'), nth: 2 });
    const done = add(store).catch((error: unknown) => error);
    await system.passMs(120_000);
    expect(await done).toMatchObject({
      code: 'storage-unavailable',
      message: expect.stringContaining('does not answer') as string,
    });
    await add(store);
    expect(await count(store)).toBe(1);
    expect(store.status().problem).toBeUndefined();
  });
});
