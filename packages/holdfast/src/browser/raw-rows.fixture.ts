import { databaseName } from './schema';

/** Writes rows past all code of ours. @returns the seqs the database took */
export async function writeRaw(name: string, rows: readonly object[]): Promise<readonly number[]> {
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(databaseName(name));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });
  const taken: number[] = [];
  for (const row of rows) {
    await new Promise<void>((resolve) => {
      const tx = db.transaction('entries', 'readwrite');
      tx.oncomplete = () => {
        taken.push((row as { seq: number }).seq);
        resolve();
      };
      // A key twice, or a value no database keeps: then it cannot be there.
      tx.onabort = () => resolve();
      try {
        tx.objectStore('entries').put(row);
      } catch {
        tx.abort();
      }
    });
  }
  db.close();
  return taken;
}
