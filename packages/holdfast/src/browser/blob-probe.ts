/**
 * Whether this engine keeps a Blob in IndexedDB. WebKit refuses in ephemeral sessions (`UnknownError`), some WebViews with
 * `DataCloneError`; asking costs one relaxed write, so it is asked only when a large body comes.
 */
export async function canKeepBlobs(db: IDBDatabase): Promise<boolean> {
  const key = 'blob-probe';
  try {
    await inOneTransaction(db, (control) => control.put(new Blob(['?']), key));
    const kept = await inOneTransaction(db, (control) => control.get(key) as IDBRequest<unknown>);
    await inOneTransaction(db, (control) => control.delete(key));
    return kept instanceof Blob && (await kept.text()) === '?';
  } catch {
    return false;
  }
}

function inOneTransaction<T>(db: IDBDatabase, ask: (control: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tx = db.transaction('control', 'readwrite', { durability: 'relaxed' });
    const request = ask(tx.objectStore('control'));
    tx.oncomplete = () => resolve(request.result);
    tx.onabort = () => reject(tx.error ?? new DOMException('the probe was aborted', 'AbortError'));
  });
}
