import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'libsql';

export type Database = InstanceType<typeof Sqlite>;

const schema = `
  CREATE TABLE IF NOT EXISTS notes (
    id TEXT PRIMARY KEY,
    site_id TEXT NOT NULL,
    author TEXT NOT NULL,
    text TEXT NOT NULL,
    rating INTEGER NOT NULL,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    updated_by TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS photos (
    id TEXT PRIMARY KEY,
    note_id TEXT NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    bytes BLOB NOT NULL,
    digest TEXT NOT NULL,
    created_at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS photos_by_note ON photos (note_id, created_at);
  CREATE TABLE IF NOT EXISTS sessions (token TEXT PRIMARY KEY, user_id TEXT NOT NULL, created_at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS ledger (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    effect TEXT NOT NULL,
    target TEXT NOT NULL,
    user_id TEXT NOT NULL,
    at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS ledger_by_key ON ledger (key);
`;

/**
 * Opens the demo's SQLite file, and makes it on first use. Several processes may open the same file: each write is one
 * `IMMEDIATE` transaction, and a process waits up to five seconds for another one's to end.
 *
 * @param folder where the file is kept; made if it is missing
 */
export function openDatabase(folder: string): Database {
  mkdirSync(folder, { recursive: true });
  const db = new Sqlite(join(folder, 'demo.db'), { timeout: 5_000 });
  // FULL, because the promise "confirmed" must survive a power cut, and WAL alone syncs at checkpoints only.
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']) db.exec(`PRAGMA ${pragma}`);
  db.exec(schema);
  return db;
}

/** One row or undefined; `Row` names the columns the SQL selects. */
export function one<Row>(db: Database, sql: string, ...values: unknown[]): Row | undefined {
  return db.prepare(sql).get(...values) as Row | undefined;
}

export function many<Row>(db: Database, sql: string, ...values: unknown[]): Row[] {
  return db.prepare(sql).all(...values) as Row[];
}

/** How many rows were changed. */
export function run(db: Database, sql: string, ...values: unknown[]): number {
  return db.prepare(sql).run(...values).changes;
}

/** Everything `work` does is written together or not at all. */
export function atomically<T>(db: Database, work: () => T): T {
  return db.transaction(work).immediate();
}

export function count(db: Database, table: 'notes' | 'photos' | 'ledger'): number {
  return one<{ n: number }>(db, `SELECT count(*) AS n FROM ${table}`)?.n ?? 0;
}
