/** Plain IndexedDB, as fast as it goes: rows of the size an outbox keeps, one index. */
export function openRaw(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const open = indexedDB.open('raw', 1);
    open.onupgradeneeded = () => open.result.createObjectStore('rows', { autoIncrement: true }).createIndex('at', 'at');
    open.onsuccess = () => resolve(open.result);
    open.onerror = () => reject(open.error ?? new Error('no database'));
  });
}

const row = (at: number) => ({
  at,
  url: `${location.origin}/api/notes`,
  method: 'POST',
  headers: [['content-type', 'application/json']],
  body: new TextEncoder().encode(JSON.stringify({ at, title: `Note ${at}`, text: 'x'.repeat(160) })),
});

function put(db: IDBDatabase, durability: IDBTransactionDurability, from: number, width: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const tx = db.transaction('rows', 'readwrite', { durability });
    const rows = tx.objectStore('rows');
    for (let at = 0; at < width; at += 1) rows.put(row(from + at));
    tx.oncomplete = () => resolve();
    tx.onabort = () => reject(tx.error ?? new Error('aborted'));
    tx.commit();
  });
}

/** A transaction for each row; rows a second. */
export async function putInTurn(db: IDBDatabase, durability: IDBTransactionDurability, count: number): Promise<number> {
  const startedAt = performance.now();
  for (let at = 0; at < count; at += 1) await put(db, durability, at, 1);
  return (count / (performance.now() - startedAt)) * 1000;
}

/** A transaction for each `width` rows; rows a second. */
export async function putAtOnce(
  db: IDBDatabase,
  durability: IDBTransactionDurability,
  rounds: number,
  width: number,
): Promise<number> {
  const startedAt = performance.now();
  for (let round = 0; round < rounds; round += 1) await put(db, durability, round * width, width);
  return ((rounds * width) / (performance.now() - startedAt)) * 1000;
}
