import { OutboxError } from '../core/errors';
import type { Durability, Rows, Store, StoreStatus, System } from '../ports';
import { canKeepBlobs } from './blob-probe';
import { type Connection, type ConnectionOptions, connection } from './connection';
import { idbRows, type WriteManner } from './idb-rows';
import { STORES } from './schema';
import { commitsAllOrNothing } from './supports';
import { asStorageError, isDuplicate, isLostConnection } from './storage-errors';

type Work<T> = (rows: Rows) => Promise<T>;

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
        const result = await onOneOfTwoConnections(connected, options.system, durability, work);
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

type Clock = Pick<System, 'timer'>;

async function onOneOfTwoConnections<T>(
  connected: Connection,
  clock: Clock,
  durability: Durability,
  work: Work<T>,
): Promise<T> {
  const first = await connected.get();
  try {
    return await inOneOfTwoManners(first, clock, durability, work);
  } catch (error) {
    if (!isLostConnection(error)) throw error;
    connected.drop(first);
  }
  return inOneOfTwoManners(await connected.get(), clock, durability, work);
}

/** Duplicates are rare, so a work runs as if there were none; when there is one, it runs again and is told which. */
async function inOneOfTwoManners<T>(db: IDBDatabase, clock: Clock, durability: Durability, work: Work<T>): Promise<T> {
  const begin = (): IDBTransaction =>
    durability === 'read' ? db.transaction(STORES, 'readonly') : db.transaction(STORES, 'readwrite', { durability });
  try {
    return await inTime(clock, begin(), (tx) => run(tx, 'trusting', work));
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
  return inTime(clock, begin(), (tx) => run(tx, 'careful', work));
}

/** How long one transaction may take, ms: a large body on a slow disk takes some seconds. */
const transactionMs = 60_000;

/**
 * An engine whose storage process died or was suspended can leave a transaction without any word, for ever, and whoever waits
 * for it (a drain, a page's view) would stand still as long.
 */
async function inTime<T>(clock: Clock, tx: IDBTransaction, work: (tx: IDBTransaction) => Promise<T>): Promise<T> {
  let cancel = (): void => undefined;
  const late = new Promise<never>((_, reject) => {
    cancel = clock.timer(transactionMs, () => {
      abort(tx);
      reject(new DOMException(`nothing was heard of it for ${transactionMs} ms`, 'TimeoutError'));
    });
  });
  try {
    return await Promise.race([work(tx), late]);
  } finally {
    cancel();
  }
}

/** What `work` resolves with, after the commit. */
async function run<T>(tx: IDBTransaction, manner: WriteManner, work: Work<T>): Promise<T> {
  const end = endOf(tx);
  let result: T;
  try {
    result = await work(idbRows(tx, manner));
  } catch (error) {
    if (manner === 'trusting') await writesDone(tx);
    abort(tx);
    await end.reached.catch(() => undefined);
    // What follows a failed request says only that the transaction is over.
    const why = end.why();
    throw why && (isDuplicate(why) || error instanceof DOMException) ? why : error;
  }
  if (manner === 'careful' || commitsAllOrNothing()) commit(tx);
  await end.reached;
  return result;
}

/** A work that throws may have been misled by a write that failed meanwhile: then that failure is the reason. */
function writesDone(tx: IDBTransaction): Promise<void> {
  return new Promise((resolve) => {
    try {
      const last = tx.objectStore('control').count();
      last.onsuccess = last.onerror = () => resolve();
    } catch {
      resolve();
    }
  });
}

/**
 * Resolves at the commit. Quota and disk errors can come as late as that, with no request to blame. Where a request is to
 * blame, its own error counts: Firefox and WebKit keep it out of `tx.error` when it fails after `commit()` was called.
 */
function endOf(tx: IDBTransaction): { readonly reached: Promise<void>; why(): DOMException | null } {
  let blamed: DOMException | null = null;
  const why = () => blamed ?? tx.error;
  tx.onerror = (event) => {
    const { error } = event.target as IDBRequest;
    // Requests that fall with their transaction are not to blame for it.
    if (error?.name !== 'AbortError') blamed ??= error;
  };
  const reached = new Promise<void>((resolve, reject) => {
    tx.oncomplete = () => resolve();
    tx.onabort = () => reject(why() ?? new DOMException('the transaction was aborted', 'AbortError'));
  });
  reached.catch(() => undefined);
  return { reached, why };
}

/**
 * Saves the engine a turn of waiting for further requests; without it the transaction commits when all are answered. One that is
 * over already has said so by itself.
 */
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
