import type { JournalLine } from '../core/control';
import type { Entry } from '../core/entry';
import { OutboxError } from '../core/errors';
import { indexKeys } from '../core/index-keys';
import type { Body, Rows } from '../ports';
import { type OrderedIndex, type OrderedKey, orderedIndex } from './ordered-index';
import { copyPlain } from './plain-copy';

/** Everything a memory store holds. */
export interface MemoryTables {
  readonly entries: Map<number, Entry>;
  readonly bySeq: OrderedIndex;
  readonly ids: Map<string, number>;
  readonly keys: Map<string, number>;
  readonly ready: OrderedIndex;
  readonly queue: OrderedIndex;
  readonly shelf: OrderedIndex;
  readonly done: OrderedIndex;
  readonly expires: OrderedIndex;
  readonly replaceable: OrderedIndex;
  readonly bodies: Map<number, Body>;
  readonly control: Map<string, unknown>;
  readonly journal: Map<string, JournalLine>;
}

export function memoryTables(): MemoryTables {
  return {
    entries: new Map(),
    bySeq: orderedIndex(),
    ids: new Map(),
    keys: new Map(),
    ready: orderedIndex(),
    queue: orderedIndex(),
    shelf: orderedIndex(),
    done: orderedIndex(),
    expires: orderedIndex(),
    replaceable: orderedIndex(),
    bodies: new Map(),
    control: new Map(),
    journal: new Map(),
  };
}

/** What a transaction over the tables needs to know: whether it may still write, and how to take a write back. */
export interface MemoryTransaction {
  /** @throws when the transaction is over */
  mustBeActive(): void;
  /** @throws when the transaction is over or may only read */
  mustBeWritable(): void;
  undo(step: () => void): void;
}

export function memoryRows(tables: MemoryTables, tx: MemoryTransaction): Rows {
  const copyOf = (seq: number | undefined) => {
    const entry = seq === undefined ? undefined : tables.entries.get(seq);
    return entry && copyPlain(entry);
  };
  const read = (seqs: number[]) => seqs.map((seq) => copyPlain(tables.entries.get(seq)!));

  function set<K, V>(map: Map<K, V>, key: K, value: V | undefined): void {
    const had = map.has(key);
    const before = map.get(key);
    tx.undo(() => void (had ? map.set(key, before as V) : map.delete(key)));
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }

  function replace(seq: number, after: Entry | undefined): void {
    const before = tables.entries.get(seq);
    swap(tables, before, after);
    tx.undo(() => swap(tables, after, before));
  }

  function mustBeUnique(map: Map<string, number>, name: 'id' | 'key', entry: Entry): void {
    const seq = map.get(entry[name]);
    if (seq === undefined || seq === entry.seq) return;
    throw new OutboxError('duplicate-key', `another entry has the ${name} ${entry[name]}`);
  }

  return {
    async bySeq(seq) {
      tx.mustBeActive();
      return copyOf(seq);
    },
    async byId(id) {
      tx.mustBeActive();
      return copyOf(tables.ids.get(id));
    },
    async byKey(key) {
      tx.mustBeActive();
      return copyOf(tables.keys.get(key));
    },
    async put(entry) {
      tx.mustBeWritable();
      const copy = copyPlain(entry, 'entry');
      mustBeUnique(tables.ids, 'id', copy);
      mustBeUnique(tables.keys, 'key', copy);
      replace(copy.seq, copy);
    },
    async remove(seq) {
      tx.mustBeWritable();
      replace(seq, undefined);
    },
    async ready(bucket, until, limit, past) {
      tx.mustBeActive();
      return read(
        tables.ready.between([bucket, ...(past ?? [])], [bucket, until, Infinity], limit, past !== undefined),
      );
    },
    async nextReadyAt(bucket) {
      tx.mustBeActive();
      return tables.ready.firstKey([bucket], [bucket, Infinity, Infinity])?.[1] as number | undefined;
    },
    async lane(laneKey, limit, afterSeq = -Infinity) {
      tx.mustBeActive();
      return read(tables.queue.between([laneKey, afterSeq], [laneKey, Infinity], limit, true));
    },
    async laneTail(laneKey) {
      tx.mustBeActive();
      return tables.queue.betweenFromEnd([laneKey], [laneKey, Infinity], 1)[0];
    },
    async laneSize(laneKey) {
      tx.mustBeActive();
      return tables.queue.count([laneKey], [laneKey, Infinity]);
    },
    async expiring(until, limit) {
      tx.mustBeActive();
      return read(tables.expires.between([], [until], limit));
    },
    async nextExpiry() {
      tx.mustBeActive();
      return tables.expires.firstKey([], [Infinity])?.[0] as number | undefined;
    },
    async replaceable(scope) {
      tx.mustBeActive();
      return read(tables.replaceable.between([scope], [scope], Infinity));
    },
    async list({ subject, state, limit, after, direction = 'oldest-first' }) {
      tx.mustBeActive();
      const shelf = (seq: number) => [subject, state, seq];
      return direction === 'oldest-first'
        ? read(tables.shelf.between(shelf(after ?? -Infinity), shelf(Infinity), limit, after !== undefined))
        : read(tables.shelf.betweenFromEnd(shelf(-Infinity), shelf(after === undefined ? Infinity : after - 1), limit));
    },
    async finished(state, until, limit) {
      tx.mustBeActive();
      return read(tables.done.between([state], [state, until], limit));
    },
    async scan(afterSeq, limit) {
      tx.mustBeActive();
      return read(tables.bySeq.between([afterSeq], [Infinity], limit, true));
    },
    async body(seq) {
      tx.mustBeActive();
      const body = tables.bodies.get(seq);
      return body instanceof Uint8Array ? body.slice() : body;
    },
    async putBody(seq, body) {
      tx.mustBeWritable();
      set(tables.bodies, seq, body instanceof Uint8Array ? body.slice() : body);
    },
    async removeBody(seq) {
      tx.mustBeWritable();
      set(tables.bodies, seq, undefined);
    },
    async control(name) {
      tx.mustBeActive();
      return copyPlain(tables.control.get(name)) as never;
    },
    async putControl(name, value) {
      tx.mustBeWritable();
      set(tables.control, name as string, copyPlain(value as unknown, name));
    },
    async journal() {
      tx.mustBeActive();
      const lines = [...tables.journal.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
      return lines.map((line) => copyPlain(line));
    },
    async journalLine(key) {
      tx.mustBeActive();
      const line = tables.journal.get(key);
      return line && copyPlain(line);
    },
    async putJournalLine(line) {
      tx.mustBeWritable();
      set(tables.journal, line.key, copyPlain(line, 'journal'));
    },
    async removeJournalLine(key) {
      tx.mustBeWritable();
      set(tables.journal, key, undefined);
    },
  };
}

/** Takes one row out and puts another in, in every table that finds it. */
function swap(tables: MemoryTables, before: Entry | undefined, after: Entry | undefined): void {
  if (before) {
    tables.entries.delete(before.seq);
    tables.ids.delete(before.id);
    tables.keys.delete(before.key);
    for (const [index, key] of places(tables, before)) index.remove(key, before.seq);
  }
  if (after) {
    tables.entries.set(after.seq, after);
    tables.ids.set(after.id, after.seq);
    tables.keys.set(after.key, after.seq);
    for (const [index, key] of places(tables, after)) index.add(key, after.seq);
  }
}

function places(tables: MemoryTables, entry: Entry): [OrderedIndex, OrderedKey][] {
  const { ready, queue, shelf, done, expires, replaceable } = indexKeys(entry);
  const all: [OrderedIndex, OrderedKey | undefined][] = [
    [tables.bySeq, [entry.seq]],
    [tables.ready, ready],
    [tables.queue, queue],
    [tables.shelf, shelf],
    [tables.done, done],
    [tables.expires, expires === undefined ? undefined : [expires]],
    [tables.replaceable, replaceable === undefined ? undefined : [replaceable]],
  ];
  return all.filter((place): place is [OrderedIndex, OrderedKey] => place[1] !== undefined);
}
