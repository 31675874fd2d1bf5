import { openDB, unwrap } from 'idb';
import { OutboxError } from '../core/errors';
import type { System } from '../ports';
import { type OutboxSchema, SCHEMA_VERSION, databaseName, upgrade, whatIsMissing } from './schema';
import { asStorageError, unavailable } from './storage-errors';

export interface ConnectionOptions {
  readonly system: Pick<System, 'timer'>;
  /**
   * How long one try to open may take, in milliseconds. There are two: on iOS the first open after a start can hang for
   * good, and the second works.
   * @default 5_000
   */
  readonly openTimeoutMs?: number;
  /** Called when the database had to be made anew though this context had it open before: somebody cleared it. */
  readonly onCleared?: () => void;
}

/** A handle that opens when needed and again after it was lost. */
export interface Connection {
  /** @throws OutboxError `storage-unavailable`, `storage-blocked`, `storage-newer`, `quota-exceeded`, `closed` */
  get(): Promise<IDBDatabase>;
  /** This handle does not work any more. */
  drop(db: IDBDatabase): void;
  close(): void;
}

export function connection(outbox: string, options: ConnectionOptions): Connection {
  let current: Promise<IDBDatabase> | undefined;
  let opened: IDBDatabase | undefined;
  let wasOpen = false;
  let closed = false;

  /** Forgets a handle; only the one in use, because others may have opened a new one already. */
  function drop(db: IDBDatabase): void {
    db.close();
    if (db !== opened) return;
    opened = undefined;
    current = undefined;
  }

  /** @param version undefined takes whatever is there: a newer version of the app has been here */
  function open(version: number | undefined): Promise<IDBDatabase> {
    return withDeadline(options, (gaveUp, blocked) =>
      openDB<OutboxSchema>(databaseName(outbox), version, {
        upgrade(db, oldVersion) {
          upgrade(db, oldVersion);
          if (oldVersion === 0 && wasOpen) options.onCleared?.();
        },
        blocked,
        // A newer version of the app waits for us to let go; the next use opens again. A handle that the browser closed
        // by itself says so at its next use.
        blocking: (_had, _wanted, event) => drop(event.target as IDBDatabase),
      }).then((proxy) => {
        const db: IDBDatabase = unwrap(proxy);
        // If it comes after all, it must not stand in the way of others.
        if (gaveUp() || closed) db.close();
        return db;
      }),
    );
  }

  async function openAny(): Promise<IDBDatabase> {
    try {
      return await open(SCHEMA_VERSION);
    } catch (error) {
      if ((error as Error).name === 'VersionError') return open(undefined);
      if (error instanceof OutboxError && error.code === 'storage-blocked') throw error;
      return open(SCHEMA_VERSION);
    }
  }

  async function connect(): Promise<IDBDatabase> {
    const db = await openAny();
    if (closed) throw wasClosed();
    const missing = whatIsMissing(db);
    if (missing) {
      db.close();
      const what = `The database of this outbox has no ${missing} (version ${db.version}, this code knows ${SCHEMA_VERSION})`;
      throw new OutboxError('storage-newer', `${what}. Reload to get the app that belongs to it; nothing was touched.`);
    }
    opened = db;
    wasOpen = true;
    return db;
  }

  return {
    async get() {
      if (closed) throw wasClosed();
      current ??= connect();
      const mine = current;
      try {
        return await mine;
      } catch (error) {
        if (current === mine) current = undefined;
        const ours = asStorageError(error);
        throw ours instanceof OutboxError ? ours : unavailable('This browser offers no IndexedDB here.', error);
      }
    },
    drop,
    close() {
      closed = true;
      if (opened) drop(opened);
    },
  };
}

function wasClosed(): OutboxError {
  return new OutboxError('closed', 'this store was closed; open it again');
}

/** Opening has no end of its own: behind another tab's old handle, or in a broken engine, it waits for ever. */
export function withDeadline<T>(
  { system, openTimeoutMs = 5_000 }: ConnectionOptions,
  open: (gaveUp: () => boolean, blocked: () => void) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let over = false;
    let isBlocked = false;
    const cancel = system.timer(openTimeoutMs, () => {
      over = true;
      reject(
        isBlocked
          ? new OutboxError(
              'storage-blocked',
              'Another tab has this outbox open in an old version; close or reload it.',
            )
          : unavailable(`The browser did not open the database within ${openTimeoutMs} ms; try again.`, undefined),
      );
    });
    // Called inside, because without the API or the right to use it this throws.
    Promise.resolve()
      .then(() =>
        open(
          () => over,
          () => void (isBlocked = true),
        ),
      )
      .then(resolve, reject)
      .finally(cancel);
  });
}
