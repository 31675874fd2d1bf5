/* What the specs ask of a page of the app; each function runs there and closes over nothing. */

/** How many requests wait in a database of Workbox; undefined when there is none. */
export async function oldRows(): Promise<number | undefined> {
  const name = 'workbox-background-sync';
  if (!(await indexedDB.databases()).some((database) => database.name === name)) return undefined;
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onerror = () => reject(new Error(String(opening.error)));
    opening.onsuccess = () => {
      const counting = opening.result.transaction('requests').objectStore('requests').count();
      counting.onsuccess = () => {
        opening.result.close();
        resolve(counting.result);
      };
    };
  });
}

/** Bodies of what waits in Workbox's database, in its order. */
export async function oldBodies(): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('workbox-background-sync');
    opening.onerror = () => reject(new Error(String(opening.error)));
    opening.onsuccess = () => {
      const reading = opening.result.transaction('requests').objectStore('requests').getAll();
      reading.onsuccess = () => {
        opening.result.close();
        const rows = reading.result as { readonly requestData: { readonly body: ArrayBuffer } }[];
        resolve(rows.map(({ requestData }) => new TextDecoder().decode(requestData.body)));
      };
    };
  });
}

export interface OutboxRow {
  readonly state: string;
  readonly tries: number;
  readonly outcome: string;
  readonly key: string;
}

/** Everything in the outbox behind the queues; undefined when there is none. */
export async function outboxRows(): Promise<OutboxRow[] | undefined> {
  const name = 'holdfast:workbox';
  if (!(await indexedDB.databases()).some((database) => database.name === name)) return undefined;
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onerror = () => reject(new Error(String(opening.error)));
    opening.onsuccess = () => {
      const reading = opening.result.transaction('entries').objectStore('entries').getAll();
      reading.onsuccess = () => {
        opening.result.close();
        const rows = reading.result as OutboxRow[];
        resolve(rows.map(({ state, tries, outcome, key }) => ({ state, tries, outcome, key })));
      };
    };
  });
}
