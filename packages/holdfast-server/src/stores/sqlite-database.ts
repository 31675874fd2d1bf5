/** What we use of a database of `libsql` or `better-sqlite3`. */
export interface SqliteDatabase {
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  close(): unknown;
}

export interface SqliteStatement {
  run(...values: unknown[]): { changes: number };
  get(...values: unknown[]): unknown;
}
