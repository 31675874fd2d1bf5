import { OutboxError } from '../core/errors';
import type { Durability, Rows, Store, StoreStatus } from '../ports';
import { canKeepBlobs } from './blob-probe';
import { type Connection, type ConnectionOptions, connection } from './connection';
import { idbRows } from './idb-rows';
import { STORES } from './schema';
import { asStorageError, isLostConnection } from './storage-errors';

/** A store that survives; see `Store` for what it promises. */
export interface DurableStore extends Store {
  /** Whether a Blob can be kept as it is. Where not, bodies have to come as bytes. Tried once. */
  keepsBlobs(): Promise<boolean>;
  /** Opens the database if it is not open yet; resolves with what stood in the way, or undefined. */
  refusal(): Promise<OutboxError | undefined>;
}

/**
 * The outbox's IndexedDB. Opens at the first use. A lost connection is opened again once and the whole work repeated; a
 * database of a newer version is used as it is while it has all this code needs. Nothing is ever deleted to get going.
 */
export function idbStore(outbox: string, options: ConnectionOptions): DurableStore {
  let problem: StoreStatus['problem'];
  let cleared: StoreStatus['problem'];
  const onCleared = () => {
    cleared = { code: 'evicted', message: 'The stored requests of this outbox were cleared while it was in use.' };
    options.onCleared?.();
  };
  const connected = connection(outbox, { ...options, onCleared });
  let blobs: Promise<boolean> | undefined;

  function note(error: unknown): unknown {
    const ours = asStorageError(error);
    if (ours instanceof OutboxError && isOfTheStore(ours)) problem = { code: ours.code, message: ours.message };
    return ours;
  }

  return {
    async transact(durability, work) {
      try {
        const result = await onOneOfTwoConnections(connected, durability, work);
        problem = undefined;
        return result;
      } catch (error) {
        throw note(error);
      }
    },
    refusal: () =>
      connected.get().then(
        () => undefined,
        (error: unknown) => note(error) as OutboxError,
      ),
    status() {
      const shown = problem ?? cleared;
      return { durability: 'durable', ...(shown && { problem: shown }) };
    },
    close: () => connected.close(),
    keepsBlobs: () => (blobs ??= connected.get().then(canKeepBlobs)),
  };
}

function isOfTheStore(error: OutboxError): boolean {
  return error.code.startsWith('storage-') || error.code === 'quota-exceeded';
}

async function onOneOfTwoConnections<T>(
  connected: Connection,
  durability: Durability,
  work: (rows: Rows) => Promise<T>,
): Promise<T> {
  const first = await connected.get();
  try {
    return await run(first, durability, work);
  } catch (error) {
    if (!isLostConnection(error)) throw error;
    connected.drop(first);
  }
  return run(await connected.get(), durability, work);
}

/** One transaction: what `work` resolves with, after the commit. */
async function run<T>(db: IDBDatabase, durability: Durability, work: (rows: Rows) => Promise<T>): Promise<T> {
  const tx =
    durability === 'read' ? db.transaction(STORES, 'readonly') : db.transaction(STORES, 'readwrite', { durability });
  const ended = end(tx);
  let result: T;
  try {
    result = await work(idbRows(tx));
  } catch (error) {
    abort(tx);
    await ended.catch(() => undefined);
    // After a failed request, all others of the transaction say only `AbortError`; the reason is in the transaction.
    throw (error as Error | undefined)?.name === 'AbortError' ? (tx.error ?? error) : error;
  }
  commit(tx);
  await ended;
  return result;
}

/** Resolves at the commit. Quota and disk errors can come as late as that, with no request to blame. */
function end(tx: IDBTransaction): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    tx.oncomplete = () => resolve();
    tx.onabort = () => reject(tx.error ?? new DOMException('the transaction was aborted', 'AbortError'));
  });
  ended.catch(() => undefined);
  return ended;
}

/** Saves the engine a turn of waiting for further requests. A transaction that is over already has said so by itself. */
function commit(tx: IDBTransaction): void {
  try {
    tx.commit();
  } catch {
    // Over, or about to be: `ended` knows.
  }
}

function abort(tx: IDBTransaction): void {
  try {
    tx.abort();
  } catch {
    // Aborted by the failed request.
  }
}
