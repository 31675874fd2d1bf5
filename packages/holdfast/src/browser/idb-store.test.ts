import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { sampleEntry } from '../testing/sample-entry';
import { storeContract } from '../testing/store.contract';
import { idbStore } from './idb-store';
import { system } from './system';

let made = 0;

describe('the IndexedDB store keeps the contract: it', () => {
  for (const { title, run } of storeContract(() => idbStore(`contract-${(made += 1)}`, { system }))) it(title, run);
});

describe('the durability asked of the engine', () => {
  it('is the one the caller named, because the default of engines is not to wait for the disk', async () => {
    const asked: (readonly [mode: string | undefined, durability: string | undefined])[] = [];
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function (...args) {
      asked.push([args[1], args[2]?.durability]);
      return transaction.apply(this, args);
    };
    try {
      const store = idbStore(`durability-${(made += 1)}`, { system });
      await store.transact('strict', (rows) => rows.put(sampleEntry(1)));
      await store.transact('relaxed', (rows) => rows.put(sampleEntry(2)));
      await store.transact('read', (rows) => rows.scan(0, 9));
    } finally {
      IDBDatabase.prototype.transaction = transaction;
    }
    // A fake IndexedDB opens its own transaction for the upgrade.
    expect(asked.filter(([mode]) => mode !== 'versionchange')).toEqual([
      ['readwrite', 'strict'],
      ['readwrite', 'relaxed'],
      ['readonly', undefined],
    ]);
  });
});
