export { sqliteStore } from './stores/sqlite';
export type { SqliteStore, SqliteStoreOptions } from './stores/sqlite';
export type { SqliteDatabase, SqliteStatement } from './stores/sqlite-database';
export { withIdempotency } from './stores/with-sqlite';
