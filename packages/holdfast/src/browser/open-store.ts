import type { OutboxError } from '../core/errors';
import type { Store, StoreStatus, System } from '../ports';
import { type DurableStore, idbStore } from './idb-store';
import { memoryStore } from './memory-store';
import { type OutsideMarker, outsideMarker } from './outside-marker';
import { SCHEMA_VERSION } from './schema';
import { isDenied } from './storage-errors';

export interface OpenStoreOptions {
  readonly system: Pick<System, 'timer' | 'now' | 'id'>;
  /** One try to open the database, milliseconds. @default 5_000 */
  readonly openTimeoutMs?: number;
  /** @default a note in web storage */
  readonly marker?: OutsideMarker;
}

/** The store of a context: durable where the browser allows it, otherwise memory that says so. */
export interface OpenedStore extends Store {
  /** Whether large bodies may be handed over as Blob. */
  keepsBlobs(): Promise<boolean>;
  /** A random name of this device, kept with the store; before the store was used, one of this context. */
  device(): string;
  /** Remembers outside of the store how many requests wait, so that an eviction can be reported with a number. */
  noteWaiting(count: number): void;
}

/**
 * Opens at the first use. Where the browser denies storage for good (private mode, blocked site data, no IndexedDB) it goes
 * on in memory for as long as this context lives, and `status()` says `memory` and why. A failure that may pass (a broken
 * backing store, a blocked upgrade, no answer in time) is thrown instead: what is stored must not be shadowed by an empty
 * queue.
 */
export function openStore(outbox: string, options: OpenStoreOptions): OpenedStore {
  const { system, marker = outsideMarker(outbox) } = options;
  const durable = idbStore(outbox, options);
  let chosen: Store | undefined;
  let choosing: Promise<Store> | undefined;
  let evicted: StoreStatus['problem'];
  let sentinel = { createdAt: 0, schema: SCHEMA_VERSION, device: system.id() };

  async function choose(): Promise<Store> {
    const refusal = await durable.refusal();
    if (refusal && !isDenied(refusal)) throw refusal;
    chosen = refusal ? memoryStore({ problem: problemOf(refusal) }) : durable;
    // Without it an eviction goes unnoticed; that must not keep anybody from the queue.
    if (!refusal) await introduce().catch(() => undefined);
    return chosen;
  }

  /** Reads who we are, or writes it down the first time, and compares it with what is known outside. */
  async function introduce(): Promise<void> {
    const note = marker.read();
    sentinel = (await durable.transact('read', (rows) => rows.control('sentinel'))) ?? (await settleIn(durable));
    if (note && note.createdAt !== sentinel.createdAt) evicted = lost(note.createdAt, note.waiting);
    if (note?.createdAt !== sentinel.createdAt) marker.write({ createdAt: sentinel.createdAt, waiting: 0 });
  }

  async function settleIn(store: DurableStore): Promise<typeof sentinel> {
    const mine = { ...sentinel, createdAt: system.now() };
    return store.transact('strict', async (rows) => {
      const others = await rows.control('sentinel');
      if (!others) await rows.putControl('sentinel', mine);
      return others ?? mine;
    });
  }

  /** Decides once; a failure that may pass is not remembered. */
  async function ready(): Promise<Store> {
    const mine = (choosing ??= choose());
    try {
      return await mine;
    } catch (error) {
      if (choosing === mine) choosing = undefined;
      throw error;
    }
  }

  return {
    transact: async (durability, work) => (chosen ?? (await ready())).transact(durability, work),
    status() {
      const status = (chosen ?? durable).status();
      return status.problem || !evicted ? status : { ...status, problem: evicted };
    },
    close() {
      durable.close();
      chosen?.close();
    },
    keepsBlobs: async () => (await ready()) !== durable || durable.keepsBlobs(),
    device: () => sentinel.device,
    noteWaiting: (waiting) => {
      if (sentinel.createdAt > 0) marker.write({ createdAt: sentinel.createdAt, waiting });
    },
  };
}

function problemOf(refusal: OutboxError): NonNullable<StoreStatus['problem']> {
  const what =
    'This browser gives the page no storage (private mode, or site data is blocked), so a reload loses what waits.';
  return { code: refusal.code, message: what };
}

function lost(createdAt: number, waiting: number): NonNullable<StoreStatus['problem']> {
  const since = new Date(createdAt).toISOString().slice(0, 10);
  const many = waiting > 0 ? ` ${waiting} were waiting when it was last seen.` : '';
  return { code: 'evicted', message: `The browser removed the requests stored here since ${since}.${many}` };
}
