import { afterEach, describe, expect, it } from 'vitest';
import { sampleEntry } from '../testing/sample-entry';
import { storeContract } from '../testing/store.contract';
import { bodyKeeper, loadBody } from './bodies';
import { idbStore } from './idb-store';
import { openStore } from './open-store';
import { buildSchemaV1 } from './schema-v1.fixture';
import { databaseName } from './schema';
import { system } from './system';

const used: string[] = [];
function outbox(): string {
  const name = `test-${system.id()}`;
  used.push(name);
  return name;
}
afterEach(async () => {
  for (const name of used.splice(0)) {
    await new Promise((resolve) => {
      const request = indexedDB.deleteDatabase(databaseName(name));
      request.onsuccess = request.onerror = request.onblocked = resolve;
    });
  }
});

const bytes = (size: number) => Uint8Array.from({ length: size }, (_, at) => (at * 7) % 256);
const sameBytes = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, at) => byte === b[at]);

describe('the IndexedDB store of this engine keeps the contract: it', () => {
  for (const { title, run } of storeContract(() => idbStore(outbox(), { system }))) it(title, run);
});

describe('the opened store of this engine keeps the contract: it', () => {
  for (const { title, run } of storeContract(() => openStore(outbox(), { system }))) it(title, run);
});

describe('in this engine', () => {
  it('storage is durable and the device keeps its name', async () => {
    const name = outbox();
    const first = openStore(name, { system });
    await first.transact('strict', (rows) => rows.put(sampleEntry(1)));
    const second = openStore(name, { system });
    await second.transact('read', (rows) => rows.bySeq(1));
    expect([second.status(), second.device()]).toEqual([{ durability: 'durable' }, first.device()]);
    first.close();
    second.close();
  });

  it('a database of schema version 1 is read whole, damaged rows included', async () => {
    const name = outbox();
    await buildSchemaV1(name);
    const store = idbStore(name, { system });
    const entries = await store.transact('read', (rows) => rows.scan(0, 99));
    expect(entries.map(({ seq, state, dead }) => [seq, state, dead?.reason])).toEqual([
      [1, 'pending', undefined],
      [2, 'sending', undefined],
      [3, 'dead', 'rejected'],
      [4, 'dead', 'unreadable'],
      [5, 'dead', 'unreadable'],
    ]);
    expect(await ((await loadBody(store, entries[1]!)) as Blob).text()).toBe('HOLDFAST');
    store.close();
  });

  it('bodies of every size and kind come back byte for byte, with their Blobs kept as Blobs', async () => {
    const store = openStore(outbox(), { system });
    const keep = bodyKeeper(store);
    expect(await store.keepsBlobs()).toBe(true);
    let seq = 0;
    for (const size of [0, 1, 4_096, 4_097, 131_072, 131_073, 5_000_000]) {
      for (const body of [
        bytes(size),
        new Blob([bytes(size)]),
        new File([bytes(size)], 'a.bin', { type: 'image/png' }),
      ]) {
        seq += 1;
        const at = seq;
        const { info, apart } = await keep(body, 'image/png');
        await store.transact('strict', async (rows) => {
          await rows.put(sampleEntry(at, { body: info }));
          if (apart) await rows.putBody(at, apart);
        });
        const entry = await store.transact('read', (rows) => rows.bySeq(at));
        const loaded = await loadBody(store, entry!);
        expect(loaded instanceof Blob).toBe(size > 131_072);
        const back = loaded instanceof Uint8Array ? loaded : new Uint8Array(await loaded!.arrayBuffer());
        expect(sameBytes(back, bytes(size))).toBe(true);
      }
    }
    store.close();
  }, 60_000);

  it('bytes in pieces come back whole where Blobs cannot be kept', async () => {
    const store = openStore(outbox(), { system });
    const { info, apart } = await bodyKeeper({ keepsBlobs: () => Promise.resolve(false) })(
      new Blob([bytes(9_000_000)]),
      '',
    );
    await store.transact('strict', (rows) => rows.putBody(1, apart!));
    const loaded = (await loadBody(store, { seq: 1, body: info })) as Blob;
    expect(sameBytes(new Uint8Array(await loaded.arrayBuffer()), bytes(9_000_000))).toBe(true);
    store.close();
  }, 60_000);

  it('what cannot be stored is refused, and says so', async () => {
    const store = idbStore(outbox(), { system });
    for (const meta of [new Headers({ a: 'b' }), () => undefined, new AbortController().signal, new Response('x')]) {
      const put = store.transact('strict', (rows) => rows.put(sampleEntry(1, { meta: meta as never })));
      await expect(put).rejects.toMatchObject({ code: 'not-storable' });
    }
    expect(await store.transact('read', (rows) => rows.scan(0, 9))).toEqual([]);
    store.close();
  });

  it('work that waits for something else inside a transaction is an error, not a silent half', async () => {
    const store = idbStore(outbox(), { system });
    const slow = store.transact('strict', async (rows) => {
      await rows.bySeq(1);
      await new Promise((resolve) => setTimeout(resolve, 50));
      await rows.put(sampleEntry(1));
    });
    await expect(slow).rejects.toMatchObject({ code: 'storage-unavailable' });
    expect(await store.transact('read', (rows) => rows.scan(0, 9))).toEqual([]);
    store.close();
  });

  it('another tab that upgrades is let in, and the store goes on with the newer database', async () => {
    const name = outbox();
    const store = idbStore(name, { system });
    await store.transact('strict', (rows) => rows.put(sampleEntry(1)));
    await new Promise<void>((resolve, reject) => {
      const open = indexedDB.open(databaseName(name), 2);
      open.onblocked = () => reject(new Error('blocked'));
      open.onsuccess = () => {
        open.result.close();
        resolve();
      };
    });
    expect(await store.transact('read', (rows) => rows.scan(0, 9))).toHaveLength(1);
    store.close();
  });

  it('the whole of a database that is deleted under it is noticed', async () => {
    const name = outbox();
    const store = idbStore(name, { system });
    await store.transact('strict', (rows) => rows.put(sampleEntry(1)));
    await new Promise((resolve) => (indexedDB.deleteDatabase(databaseName(name)).onsuccess = resolve));
    expect(await store.transact('read', (rows) => rows.scan(0, 9))).toEqual([]);
    expect(store.status().problem?.code).toBe('evicted');
    store.close();
  });
});
