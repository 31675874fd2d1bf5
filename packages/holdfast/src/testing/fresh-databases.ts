import { IDBFactory } from 'fake-indexeddb';

/** Before each test file: those that share a thread share its IndexedDB, and none is to find the databases of another. */
if ('indexedDB' in globalThis) globalThis.indexedDB = new IDBFactory();
