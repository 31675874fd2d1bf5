import { createCollection, localOnlyCollectionOptions } from '@tanstack/db';
import { IndexedDBAdapter, startOfflineExecutor } from '@tanstack/offline-transactions';
import { play, rateAtOnce, rateInTurn } from './bench';

interface Note {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Says when a transaction is stored: its own promises wait for the server. */
class Watched extends IndexedDBAdapter {
  readonly stored = new Map<string, () => void>();
  override async set(key: string, value: string): Promise<void> {
    await super.set(key, value);
    this.stored.get(key)?.();
    this.stored.delete(key);
  }
}

/** Stores one write as this library does, while it believes to be offline, so that nothing is sent meanwhile. */
async function opened(): Promise<(number: number) => Promise<void>> {
  const notes = createCollection(localOnlyCollectionOptions<Note, string>({ id: 'notes', getKey: ({ id }) => id }));
  const storage = new Watched();
  const executor = startOfflineExecutor({
    collections: { notes },
    mutationFns: { send: () => Promise.resolve() },
    storage,
    onlineDetector: {
      subscribe: () => () => undefined,
      notifyOnline: () => undefined,
      isOnline: () => false,
      dispose: () => undefined,
    },
  });
  await executor.waitForInit();
  return (number) =>
    new Promise((resolve, reject) => {
      const id = `note-${number}`;
      const transaction = executor.createOfflineTransaction({ mutationFnName: 'send', autoCommit: false });
      const made = transaction.mutate(() => notes.insert({ id, title: `Note ${number}`, text: 'x'.repeat(160) }));
      storage.stored.set(`tx:${made.id}`, resolve);
      transaction.commit().catch(reject);
    });
}

const count = (options: URLSearchParams): number => Number(options.get('count'));

void play({
  enqueueInTurn: async (options) => ({ rate: await rateInTurn(count(options), await opened()) }),
  enqueueAtOnce: async (options) => ({ rate: await rateAtOnce(count(options) / 100, 100, await opened()) }),
});
