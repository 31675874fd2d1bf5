import { openDB, type IDBPDatabase } from 'idb';

/**
 * Whose work this device holds right now, where page and worker can both look. The session cookie cannot be read by
 * either, and the worker has no `localStorage`.
 */
let opened: Promise<IDBPDatabase> | undefined;

async function rows(): Promise<IDBPDatabase> {
  opened ??= openDB('round', 1, {
    upgrade: (db) => void db.createObjectStore('session'),
    // Another version of this app wants to change the database: do not stand in its way.
    blocking: (_from, _to, event) => {
      opened = undefined;
      (event.target as IDBDatabase).close();
    },
    terminated: () => (opened = undefined),
  });
  return opened;
}

/** The inspector's id; null while nobody is signed in or known. */
export async function readSubject(): Promise<string | null> {
  return ((await (await rows()).get('session', 'subject')) as string | undefined) ?? null;
}

export async function writeSubject(id: string | null): Promise<void> {
  await (await rows()).put('session', id, 'subject');
}
