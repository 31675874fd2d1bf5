import { deleteDB, openDB } from 'idb';
import type { Book } from '../core/control';
import { OutboxError } from '../core/errors';
import { withDeadline, type ConnectionOptions } from './connection';
import { databaseName, STORES } from './schema';

/**
 * Takes the whole database away, unless something speaks against it. Looking and emptying are one upgrade transaction: nobody
 * else has the database open meanwhile, and afterwards nobody can open it as it was, so nothing is stored in between and lost.
 * @param refusal says why not, by what the outbox counts; undefined lets it go
 * @throws OutboxError what `refusal` gave, `storage-blocked`, `storage-unavailable`; nothing was changed
 */
export async function removeDatabase(
  outbox: string,
  options: ConnectionOptions,
  refusal: (book: Book | undefined) => OutboxError | undefined,
): Promise<void> {
  const name = databaseName(outbox);
  const version = await withDeadline(options, async (_, blocked) => {
    const db = await openDB(name, undefined, { blocked });
    db.close();
    return db.version;
  });
  let refused: OutboxError | undefined;
  try {
    const emptied = await withDeadline(options, (gaveUp, blocked) =>
      openDB(name, version + 1, {
        blocked,
        upgrade(db, _old, _new, transaction) {
          // Whether it was committed is what opening says.
          transaction.done.catch(() => undefined);
          const present = STORES.filter((store) => db.objectStoreNames.contains(store));
          const empty = (book: Book | undefined): void => {
            refused = gaveUp() ? new OutboxError('storage-blocked', 'It was given up meanwhile.') : refusal(book);
            if (refused) transaction.abort();
            else for (const store of present) db.deleteObjectStore(store);
          };
          if (!present.includes('control')) return empty(undefined);
          void transaction
            .objectStore('control')
            .get('book')
            .then((book) => empty(book as Book | undefined));
        },
      }),
    );
    emptied.close();
  } catch (error) {
    throw refused ?? error;
  }
  await deleteDB(name);
}
