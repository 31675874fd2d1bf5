import type { Held } from '../intent.ts';
import { followClock, jump, setClock } from './clock.ts';
import type { ChaosPage } from './page.ts';
import { startWriting, type Write } from './write.ts';

/** The same page for a library that has no wrapper and no `add`: plain `fetch`, with a key of the app's own. */
const query = new URLSearchParams(location.search);
setClock(Number(query.get('clock') ?? 0));
followClock();
void navigator.serviceWorker.register('/worker.js', { scope: '/app/' }).catch(() => undefined);
const seed = query.get('seed');
const told = query.get('told') ?? '';

const throughWorker: Write = (url, init) => {
  const headers = { ...init.headers, 'idempotency-key': `"${crypto.randomUUID()}"` };
  return fetch(url, { ...init, headers }).then(
    (response) => (response.ok ? 'done' : 'refused'),
    () => 'failed',
  );
};
if (seed !== null) startWriting({ seed: Number(seed), told, doors: { fetch: throughWorker } });

interface Row {
  readonly requestData: { readonly body: ArrayBuffer };
}

/** Reads the library's own rows; it has nothing to ask from a page. */
async function rows(): Promise<readonly Row[]> {
  const name = 'workbox-background-sync';
  if (!(await indexedDB.databases()).some((known) => known.name === name)) return [];
  const db = await done(indexedDB.open(name));
  try {
    if (!db.objectStoreNames.contains('requests')) return [];
    return (await done(db.transaction('requests').objectStore('requests').getAll())) as Row[];
  } finally {
    db.close();
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the database cannot be read'));
  });
}

const chaos: ChaosPage = {
  waiting: async () => (await rows()).length,
  held: async () =>
    (await rows()).map(({ requestData }): Held => {
      const { intent } = JSON.parse(new TextDecoder().decode(requestData.body)) as { intent: string };
      return { intent, state: 'pending' };
    }),
  why: async () => [],
  oddDeliveries: async () => [],
  jump,
  async update() {
    await (await navigator.serviceWorker.getRegistration('/app/'))?.update();
  },
};
Object.assign(window, { chaos });
