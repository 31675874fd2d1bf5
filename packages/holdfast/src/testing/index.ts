export { memoryStore, type MemoryStoreOptions } from '../browser/memory-store';
export { dice, fakeSystem, type FakeSystem, type FakeSystemOptions } from './fake-system';
export { fakeTransport, type FakeAnswer, type FakeServer, type FakeTransport } from './fake-transport';
export { fakeNetwork, type FakeContext, type FakeNetwork } from './fake-network';
export { storeContract, type MakeStore, type StoreCheck } from './store.contract';
export { sampleEntry } from './sample-entry';
