import { HoldfastServerError } from '../errors';
import type { SqliteDatabase } from './sqlite-database';

interface Member {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs what is asked for in one turn of the event loop in one transaction. A commit waits for the disk, and the disk takes
 * as long for one row as for sixty.
 *
 * @returns a function that resolves once its work is committed, and rejects with all others if the commit fails
 */
export function createGroup(database: SqliteDatabase): <T>(work: () => T) => Promise<T> {
  let members: Member[] = [];

  function flush(): void {
    const group = members;
    members = [];
    try {
      // A write inside the app's open transaction would be undone with it.
      if (database.inTransaction) {
        throw new HoldfastServerError('store-busy', 'the database has an open transaction on this connection');
      }
      const results = inTransaction(database, () => group.map(({ work }) => work()));
      group.forEach(({ resolve }, index) => resolve(results[index]));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return <T>(work: () => T) =>
    new Promise<T>((resolve, reject) => {
      if (members.length === 0) setImmediate(flush);
      members.push({ work, resolve: resolve as Member['resolve'], reject });
    });
}

/** Takes the write lock first, so that two processes wait for each other and do not fail half way. */
export function inTransaction<T>(database: SqliteDatabase, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
