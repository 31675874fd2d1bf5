export { memoryStore, type MemoryStoreOptions } from '../browser/memory-store';
