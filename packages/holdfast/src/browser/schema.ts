import { type DBSchema, type IDBPDatabase } from 'idb';
import type { Entry } from '../core/entry';
import type { IndexKeys } from '../core/index-keys';

/**
 * The layout of the database. Further fields in rows need no new version; a new version is for new stores or indexes only,
 * because every upgrade can be blocked by a tab that still runs the code of yesterday.
 */
export const SCHEMA_VERSION = 1;

export const STORES = ['entries', 'bodies', 'control'];

/** An entry as it lies in the database: what can be searched for is under `k`, rewritten whole with every change. */
export type Row = Entry & { readonly k: IndexKeys };

/** A body is one piece, or several of bytes where the engine cannot keep a Blob. Keys are `[seq, number of the piece]`. */
export type BodyPiece = Uint8Array | Blob;

export interface OutboxSchema extends DBSchema {
  entries: {
    key: number;
    value: Row;
    indexes: {
      id: string;
      key: string;
      ready: [bucket: string, at: number, seq: number];
      queue: [laneKey: string, seq: number];
      shelf: [subject: string, state: string, seq: number];
      done: [state: string, at: number];
      expires: number;
      replaceable: string;
    };
  };
  bodies: { key: [seq: number, piece: number]; value: BodyPiece };
  /** One row for each of `ControlRecords`, under its name; those of the journal under `['journal', key]`. */
  control: { key: string | [table: 'journal', key: string]; value: unknown };
}

const INDEXES = {
  id: { path: 'id', unique: true },
  key: { path: 'key', unique: true },
  ready: { path: 'k.ready', unique: false },
  queue: { path: 'k.queue', unique: false },
  shelf: { path: 'k.shelf', unique: false },
  done: { path: 'k.done', unique: false },
  expires: { path: 'k.expires', unique: false },
  replaceable: { path: 'k.replaceable', unique: false },
} as const;

const indexNames = Object.keys(INDEXES) as (keyof typeof INDEXES)[];

export function databaseName(outbox: string): string {
  return `holdfast:${outbox}`;
}

/** Brings a database of any earlier version to this one; every waiting row stays. Runs inside the upgrade transaction. */
export function upgrade(db: IDBPDatabase<OutboxSchema>, oldVersion: number): void {
  if (oldVersion < 1) {
    const entries = db.createObjectStore('entries', { keyPath: 'seq' });
    for (const name of indexNames) entries.createIndex(name, INDEXES[name].path, { unique: INDEXES[name].unique });
    db.createObjectStore('bodies');
    db.createObjectStore('control');
  }
}

/** What this code would miss in a database that another version of it made, or undefined when it can work with it. */
export function whatIsMissing(db: IDBDatabase): string | undefined {
  const store = STORES.find((name) => !db.objectStoreNames.contains(name));
  if (store) return `store ${store}`;
  if (db.version === SCHEMA_VERSION) return undefined;
  const entries = db.transaction('entries', 'readonly').objectStore('entries');
  if (entries.keyPath !== 'seq') return 'rows under `seq`';
  const index = indexNames.find(
    (name) => !entries.indexNames.contains(name) || entries.index(name).keyPath !== INDEXES[name].path,
  );
  return index && `index ${index}`;
}
