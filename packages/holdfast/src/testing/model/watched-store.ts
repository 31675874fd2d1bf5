import { OutboxError } from '../../core/errors';
import type { ControlRecords, Rows, Store } from '../../ports';
import type { Entry } from '../../core/entry';

/** What one transaction changed. */
export interface Commit {
  readonly tab: string;
  /** Last version of each row it wrote. */
  readonly puts: ReadonlyMap<number, Entry>;
  readonly removed: ReadonlySet<number>;
  readonly book?: ControlRecords['book'];
}

/** Storage that fails for a while. */
export interface Weather {
  /** How many of the next transactions fail. */
  failing: number;
}

/** A store that tells of every commit, in order, before anybody learns its outcome. */
export function watchedStore(
  inner: Store,
  tab: string,
  weather: Weather,
  onCommit: (commit: Commit) => void,
): Store {
  return {
    async transact(durability, work) {
      if (weather.failing > 0) {
        weather.failing -= 1;
        throw new OutboxError('storage-unavailable', 'the model takes the storage away');
      }
      return inner.transact(durability, async (rows) => {
        const seen = { puts: new Map<number, Entry>(), removed: new Set<number>(), book: [] as ControlRecords['book'][] };
        const value = await work(watching(rows, seen));
        const book = seen.book.at(-1);
        if (seen.puts.size > 0 || seen.removed.size > 0 || book)
          onCommit({ tab, puts: seen.puts, removed: seen.removed, ...(book && { book }) });
        return value;
      });
    },
    status: () => inner.status(),
    close: () => inner.close(),
  };
}

function watching(
  rows: Rows,
  seen: { puts: Map<number, Entry>; removed: Set<number>; book: ControlRecords['book'][] },
): Rows {
  return {
    ...rows,
    async put(entry) {
      await rows.put(entry);
      seen.removed.delete(entry.seq);
      seen.puts.set(entry.seq, structuredClone(entry));
    },
    async remove(seq) {
      await rows.remove(seq);
      seen.puts.delete(seq);
      seen.removed.add(seq);
    },
    async putControl(name, value) {
      await rows.putControl(name, value);
      if (name === 'book') seen.book.push(value as ControlRecords['book']);
    },
  };
}
