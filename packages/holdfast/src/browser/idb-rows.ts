import type { JournalLine } from '../core/control';
import type { Entry } from '../core/entry';
import { OutboxError } from '../core/errors';
import { indexKeys } from '../core/index-keys';
import type { Body, Rows } from '../ports';
import { joinPieces, piecesOf } from './body-pieces';
import { readRow } from './read-row';
import type { BodyPiece, Row } from './schema';
import { hasGetAllRecords } from './supports';

/** After every number and string: the end of a compound range. */
const LAST: IDBValidKey = [];

/**
 * How writes answer. `trusting`: at once, and a failure aborts the transaction, since waiting for each would cost a trip to
 * the engine's storage process per row. `careful`: when the engine has done them, so that the work hears of a duplicate.
 */
export type WriteManner = 'trusting' | 'careful';

/** The rows of one IndexedDB transaction. Plain IndexedDB calls: this is where the time goes. */
export function idbRows(tx: IDBTransaction, manner: WriteManner): Rows {
  const entries = tx.objectStore('entries');
  const bodies = tx.objectStore('bodies');
  const control = tx.objectStore('control');
  const index = (name: string) => entries.index(name);
  const written = manner === 'careful' ? (request: IDBRequest) => answer(request, nothing) : trusted;

  return {
    bySeq: (seq) => answer(entries.get(seq) as IDBRequest<Row | undefined>, readOne),
    byId: (id) => answer(index('id').get(id) as IDBRequest<Row | undefined>, readOne),
    byKey: (key) => answer(index('key').get(key) as IDBRequest<Row | undefined>, readOne),
    put: (entry) =>
      tried(() => {
        const request = entries.put({ ...entry, k: indexKeys(entry) });
        return manner === 'careful' ? uniquely(request, entry) : trusted();
      }),
    remove: (seq) => written(entries.delete(seq)),
    ready(bucket, until, limit, past) {
      if (past && past[0] > until) return Promise.resolve([]);
      const due = IDBKeyRange.bound([bucket, ...(past ?? [])], [bucket, until, LAST], past !== undefined);
      return readMany(index('ready'), due, limit);
    },
    nextReadyAt: (bucket) => answer(index('ready').openKeyCursor(under(bucket)), numberAfterFirst),
    lane(laneKey, limit, afterSeq = -Infinity) {
      return readMany(index('queue'), IDBKeyRange.bound([laneKey, afterSeq], [laneKey, LAST], true), limit);
    },
    laneTail: (laneKey) => answer(index('queue').openKeyCursor(under(laneKey), 'prev'), numberAfterFirst),
    laneSize: (laneKey) => answer(index('queue').count(under(laneKey)), (count) => count),
    expiring: (until, limit) => readMany(index('expires'), IDBKeyRange.upperBound(until), limit),
    nextExpiry: () => answer(index('expires').openKeyCursor(), (cursor) => cursor?.key as number | undefined),
    replaceable: (scope) => readMany(index('replaceable'), IDBKeyRange.only(scope)),
    list({ subject, state, limit, after, direction = 'oldest-first' }) {
      const shelf = [subject, state];
      if (direction === 'newest-first') {
        return readBackwards(index('shelf'), IDBKeyRange.bound(shelf, [...shelf, after ?? LAST], false, true), limit);
      }
      return readMany(index('shelf'), IDBKeyRange.bound([...shelf, after ?? -Infinity], [...shelf, LAST], true), limit);
    },
    finished: (state, until, limit) => readMany(index('done'), IDBKeyRange.bound([state], [state, until]), limit),
    scan: (afterSeq, limit) => readMany(entries, IDBKeyRange.lowerBound(afterSeq, true), limit),
    body: (seq) => answer(bodies.getAll(under(seq)) as IDBRequest<BodyPiece[]>, joinPieces),
    putBody: (seq, body) => tried(() => written(putBody(bodies, seq, body))),
    removeBody: (seq) => written(bodies.delete(under(seq))),
    control: (name) => answer(control.get(name), (value) => value as never),
    putControl: (name, value) => tried(() => written(control.put(value, name))),
    journal: () => answer(control.getAll(under('journal')) as IDBRequest<JournalLine[]>, (lines) => lines),
    journalLine: (key) => answer(control.get(['journal', key]) as IDBRequest<JournalLine | undefined>, (line) => line),
    putJournalLine: (line) => tried(() => written(control.put(line, ['journal', line.key]))),
    removeJournalLine: (key) => written(control.delete(['journal', key])),
  };
}

/** Resolves inside the request's own event, while the transaction can still take more. */
function answer<T, R>(request: IDBRequest<T>, read: (result: T) => R): Promise<R> {
  const promise = new Promise<R>((resolve, reject) => {
    request.onsuccess = () => resolve(read(request.result));
    request.onerror = () => reject(request.error!);
  });
  // A work may start a write and not wait for it: its failure aborts the transaction, which the caller is told.
  promise.catch(nothing);
  return promise;
}

function nothing(): void {}

const DONE = Promise.resolve();

function trusted(): Promise<void> {
  return DONE;
}

/** What cannot be cloned is refused at the call itself; to the work it is a rejection like any other. */
function tried(write: () => Promise<void>): Promise<void> {
  try {
    return write();
  } catch (error) {
    return Promise.reject(error);
  }
}

function readOne(row: Row | undefined): Entry | undefined {
  return row && readRow(row);
}

function readMany(source: IDBObjectStore | IDBIndex, keys: IDBKeyRange, limit?: number): Promise<Entry[]> {
  if (limit === 0) return Promise.resolve([]);
  return answer(source.getAll(keys, countOf(limit)) as IDBRequest<Row[]>, (rows) => rows.map(readRow));
}

/** `getAll` takes an unsigned 32-bit count and would read `Infinity` as 0. */
function countOf(limit: number | undefined): number | undefined {
  return limit === undefined || limit > 0xffff_ffff ? undefined : limit;
}

function readBackwards(source: IDBIndex, keys: IDBKeyRange, limit: number): Promise<Entry[]> {
  if (limit === 0) return Promise.resolve([]);
  if (hasGetAllRecords(source)) {
    const count = countOf(limit);
    const request = source.getAllRecords({ query: keys, direction: 'prev', ...(count !== undefined && { count }) });
    return answer(request, (records) => records.map((record) => readRow(record.value as Row)));
  }
  const found: Entry[] = [];
  return new Promise((resolve, reject) => {
    const request = source.openCursor(keys, 'prev');
    request.onerror = () => reject(request.error!);
    request.onsuccess = () => {
      const cursor = request.result;
      if (cursor) found.push(readRow(cursor.value as Row));
      if (cursor && found.length < limit) cursor.continue();
      else resolve(found);
    };
  });
}

/** Two rows cannot have one id or key. That is an answer, not a fault, so here it does not abort the transaction. */
function uniquely(request: IDBRequest, entry: Entry): Promise<void> {
  const promise = new Promise<void>((resolve, reject) => {
    request.onsuccess = () => resolve();
    request.onerror = (event) => {
      if (request.error?.name !== 'ConstraintError') return reject(request.error!);
      event.preventDefault();
      event.stopPropagation();
      reject(new OutboxError('duplicate-key', `another entry has the id ${entry.id} or the key ${entry.key}`));
    };
  });
  promise.catch(nothing);
  return promise;
}

/** Returns the last of its requests: a transaction does them in order. */
function putBody(bodies: IDBObjectStore, seq: number, body: Body): IDBRequest {
  let last: IDBRequest = bodies.delete(under(seq));
  for (const [at, piece] of piecesOf(body).entries()) last = bodies.put(piece, [seq, at]);
  return last;
}

/** All compound keys that begin with this. */
function under(first: IDBValidKey): IDBKeyRange {
  return IDBKeyRange.bound([first], [first, LAST]);
}

function numberAfterFirst(cursor: IDBCursor | null): number | undefined {
  return (cursor?.key as [string, number] | undefined)?.[1];
}
