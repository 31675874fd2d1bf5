import { emptyBook, noTally, openGates, type Book, type Gates, type Lowest, type Tally } from '../core/control';
import type { Entry } from '../core/entry';
import { laneKeyOf } from '../core/index-keys';
import { counted } from '../core/count-rows';
import { own } from '../core/own';
import type { Durability, Rows, Store } from '../ports';
import { recount } from './recount';

/**
 * One change of the queue: rows and the book that counts them, in one transaction. Every write of an entry goes through
 * here, so that counts, buckets and the revision can never drift from the rows.
 */
export interface Ledger {
  readonly rows: Rows;
  /** What was counted so far, including this change. */
  readonly book: Book;
  readonly gates: Gates;
  setGates(gates: Gates): void;
  insert(entry: Omit<Entry, 'seq' | 'revision' | 'v'>): Promise<Entry>;
  /** Replaces a row by itself with `patch`; an `undefined` value removes the field. */
  update(before: Entry, patch: Patch): Promise<Entry>;
  remove(entry: Entry): Promise<void>;
  /** A new fencing token. */
  token(): number;
  /** Adds to the lifetime figures of a subject. */
  tally(subject: string, count: (tally: Tally) => Tally): void;
  /** Nobody of this subject who waits stands before this. */
  setLowest(subject: string, lowest: Lowest): void;
  /** Strikes a subject out, once it has no rows: its counts, figures and lines. */
  strike(subject: string): void;
  /** Nobody in this line stands before this `seq`; only known since somebody came back into it. */
  front(laneKey: string): number | undefined;
  setFront(laneKey: string, seq: number | undefined): void;
}

export type Patch = { readonly [K in keyof Entry]?: Entry[K] | undefined };

export interface Changed<T> {
  readonly value: T;
  /** The book's revision after the change. */
  readonly revision: number;
  /** Ids of the entries it touched. */
  readonly ids: readonly string[];
  /** Whether what holds entries back is different now: pauses, origins, sign-in. */
  readonly gates: boolean;
  /** Entries that died in it, as they are now. */
  readonly died: readonly Entry[];
}

/**
 * Runs `work` in one transaction; afterwards the book is written if anything changed.
 * @param ask questions that go out together with those for the book
 * @throws what the store or `work` throws
 */
export function change<T>(
  store: Store,
  durability: Exclude<Durability, 'read'>,
  work: (ledger: Ledger) => Promise<T>,
  ask: (rows: Rows) => Rows = (rows) => rows,
): Promise<Changed<T>> {
  return store.transact(durability, async (plain) => {
    const rows = ask(plain);
    const [kept, gates] = await Promise.all([rows.control('book'), rows.control('gates')]);
    const draft = openDraft(rows, { kept, book: kept ?? (await recount(plain)), gates: gates ?? openGates });
    const value = await work(draft.ledger);
    return { value, revision: await draft.close(), ids: draft.ids(), gates: draft.gates(), died: draft.died() };
  });
}

interface Found {
  readonly kept: Book | undefined;
  readonly book: Book;
  readonly gates: Gates;
}

function openDraft(rows: Rows, first: Found) {
  let { book, gates } = first;
  const touched = new Set<string>();
  const died = new Map<number, Entry>();

  function count(before: Entry | undefined, after: Entry | undefined): void {
    for (const entry of [before, after]) if (entry) touched.add(entry.id);
    if (after?.state === 'dead' && (before?.state !== 'dead' || died.has(after.seq))) died.set(after.seq, after);
    else if (before) died.delete(before.seq);
    book = counted(book, before, after);
  }

  const ledger: Ledger = {
    rows,
    get book() {
      return book;
    },
    get gates() {
      return gates;
    },
    setGates: (next) => void (gates = next),
    async insert(fields) {
      const entry: Entry = { v: 1, revision: 1, ...fields, seq: book.nextSeq };
      book = { ...book, nextSeq: book.nextSeq + 1 };
      await rows.put(entry);
      // Counted when it is there: a row that is refused leaves the others of its group as they are. So for `update`.
      count(undefined, entry);
      return entry;
    },
    async update(before, patch) {
      const merged: Record<string, unknown> = { ...before, ...patch, revision: before.revision + 1 };
      for (const name of Object.keys(patch)) if (merged[name] === undefined) delete merged[name];
      const after = merged as unknown as Entry;
      await rows.put(after);
      count(before, after);
      return after;
    },
    async remove(entry) {
      count(entry, undefined);
      await rows.remove(entry.seq);
      if (entry.body.kind === 'apart') await rows.removeBody(entry.seq);
    },
    token() {
      book = { ...book, token: book.token + 1 };
      return book.token;
    },
    front: (laneKey) => book.fronts?.[laneKey],
    setFront(laneKey, seq) {
      if (book.fronts?.[laneKey] === seq) return;
      const { [laneKey]: _, ...others } = book.fronts ?? {};
      book = { ...book, fronts: seq === undefined ? others : { ...others, [laneKey]: seq } };
    },
    tally(subject, work) {
      const tally = work(own(book.tallies ?? {}, subject) ?? noTally);
      book = { ...book, tallies: { ...book.tallies, [subject]: tally } };
    },
    setLowest: (subject, lowest) => void (book = { ...book, lowest: { ...book.lowest, [subject]: lowest } }),
    strike(subject) {
      const others = <T>(all: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
        Object.fromEntries(Object.entries(all).filter(([name]) => name !== subject));
      const theirs = laneKeyOf(subject, '');
      const elsewhere = <T>(all: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
        Object.fromEntries(Object.entries(all).filter(([key]) => !key.startsWith(theirs)));
      book = {
        ...book,
        subjects: others(book.subjects),
        tallies: others(book.tallies ?? {}),
        ...(book.fronts && { fronts: elsewhere(book.fronts) }),
        ...(book.lowest && { lowest: others(book.lowest) }),
      };
      gates = { ...gates, signIn: others(gates.signIn), lanes: elsewhere(gates.lanes) };
    },
  };

  return {
    ledger,
    ids: () => [...touched],
    gates: () => gates !== first.gates,
    died: () => [...died.values()],
    async close(): Promise<number> {
      if (gates !== first.gates) await rows.putControl('gates', gates);
      if (book === (first.kept ?? emptyBook) && gates === first.gates) return book.revision;
      await rows.putControl('book', { ...book, revision: book.revision + 1 });
      return book.revision + 1;
    },
  };
}
