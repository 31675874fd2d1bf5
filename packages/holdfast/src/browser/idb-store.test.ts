import 'fake-indexeddb/auto';
import { describe, it } from 'vitest';
import { storeContract } from '../testing/store.contract';
import { idbStore } from './idb-store';
import { system } from './system';

let made = 0;

describe('the IndexedDB store keeps the contract: it', () => {
  for (const { title, run } of storeContract(() => idbStore(`contract-${(made += 1)}`, { system }))) it(title, run);
});
