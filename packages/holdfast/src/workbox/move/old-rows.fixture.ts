import { QueueDb } from 'workbox-background-sync/lib/QueueDb.js';
import { oldDatabases } from './old-database';

/** Rows of an old database, written as the real packages write them. */

export const minute = 60_000;

export function post(url: string, timestamp: number, body = '{"n":1}') {
  const bytes = new TextEncoder().encode(body).buffer;
  const headers = { 'content-type': 'application/json' };
  return { requestData: { url, method: 'POST', headers, body: bytes, mode: 'cors' }, timestamp };
}

export async function leave(
  rows: readonly { readonly requestData?: object; readonly timestamp: number; readonly id?: number }[],
  queue = 'api',
): Promise<void> {
  const db = new QueueDb();
  for (const row of rows) await db.addEntry({ ...row, queueName: queue } as never);
  closeAll(db);
}

/** The libraries keep their connections; without closing them nobody could remove the database. */
export function closeAll(owner: object): void {
  const { _db, _queueDb } = owner as { _db?: IDBDatabase | null; _queueDb?: object };
  _db?.close();
  if (_queueDb) closeAll(_queueDb);
}

export async function removeOldDatabases(): Promise<void> {
  for (const name of oldDatabases) {
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error!);
    });
  }
}

export async function databaseNames(): Promise<(string | undefined)[]> {
  return (await indexedDB.databases()).map(({ name }) => name);
}
