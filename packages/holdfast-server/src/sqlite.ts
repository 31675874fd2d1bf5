export { sqliteStore } from './stores/sqlite';
export type { SqliteDatabase, SqliteStatement, SqliteStore, SqliteStoreOptions } from './stores/sqlite';
export { withIdempotency } from './stores/with-sqlite';
