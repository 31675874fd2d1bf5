import { deleteDB, openDB, type IDBPDatabase } from 'idb';

/** One row of an earlier library's queue, as it lies there. */
export interface OldRow {
  /** Order of the queue: a number, also 0 or below it. */
  readonly id: IDBValidKey;
  readonly value: unknown;
}

/** The database in which Workbox or Serwist keeps what could not be sent. */
export interface OldDatabase {
  /** Rows past an id, oldest first, at most `limit` of them, whosever they are. */
  rows(limit: number, after?: IDBValidKey): Promise<readonly OldRow[]>;
  /** Resolves when they are gone from the disk. */
  remove(ids: readonly IDBValidKey[]): Promise<void>;
  /** Removes the database when no row is left. @returns whether none was */
  dropIfEmpty(): Promise<boolean>;
  close(): void;
}

export type OpenOldDatabase = (name: string) => Promise<OldDatabase | undefined>;

/** Names of the databases, Workbox's (4 to 7) and Serwist's; both have the same layout. */
export const oldDatabases = ['workbox-background-sync', 'serwist-background-sync'] as const;

const store = 'requests';

/**
 * Opens such a database as it is. Not through the library's own classes: they make it where there is none, and their upgrade
 * empties an older one.
 * @returns undefined when there is none, or it is somebody else's
 */
export const openOldDatabase: OpenOldDatabase = async (name) => {
  const db = await openAsItIs(name);
  if (!db) return undefined;
  if (!db.objectStoreNames.contains(store)) {
    db.close();
    return undefined;
  }
  return {
    async rows(limit, after) {
      const found: OldRow[] = [];
      const range = after === undefined ? null : IDBKeyRange.lowerBound(after, true);
      let cursor = await db.transaction(store).store.openCursor(range);
      while (cursor) {
        found.push({ id: cursor.primaryKey, value: cursor.value as unknown });
        cursor = found.length < limit ? await cursor.continue() : null;
      }
      return found;
    },
    async remove(ids) {
      const tx = db.transaction(store, 'readwrite', { durability: 'strict' });
      await Promise.all([...ids.map((id) => tx.store.delete(id)), tx.done]);
    },
    async dropIfEmpty() {
      if ((await db.count(store)) > 0) return false;
      db.close();
      // Behind another context that has it open this waits; it need not be waited for.
      await new Promise<void>((resolve, reject) => {
        deleteDB(name, { blocked: () => resolve() }).then(resolve, reject);
      });
      return true;
    },
    close: () => db.close(),
  };
};

async function openAsItIs(name: string): Promise<IDBPDatabase | undefined> {
  let isNew = false;
  try {
    return await openDB(name, undefined, {
      upgrade(_db, oldVersion, _newVersion, tx) {
        isNew = oldVersion === 0;
        // Opening makes what is not there; aborted, it was never made.
        tx.done.catch(() => undefined);
        tx.abort();
      },
      // Its own library wants it in another version: it must not wait for us.
      blocking: (_had, _wanted, event) => (event.target as IDBDatabase).close(),
    });
  } catch (error) {
    if (isNew) return undefined;
    throw error;
  }
}
