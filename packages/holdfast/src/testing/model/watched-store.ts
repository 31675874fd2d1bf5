import { OutboxError } from '../../core/errors';
import type { ControlRecords, Rows, Store } from '../../ports';
import type { Entry } from '../../core/entry';

/** What one transaction changed. */
export interface Commit {
  readonly tab: string;
  /** Last version of each row it wrote. */
  readonly puts: ReadonlyMap<number, Entry>;
  readonly removed: ReadonlySet<number>;
  /** The book and the gates, when it wrote them. */
  readonly control: Partial<ControlRecords>;
}

export interface Watcher {
  /** Asked before each transaction; `fail`: the storage is gone now, `never`: it hangs. */
  begins(): 'go' | 'fail' | 'never';
  committed(commit: Commit): void;
}

/** The message of a failure that is the model's own doing. */
export const storageIsGone = 'the model takes the storage away';

interface Seen extends Commit {
  readonly puts: Map<number, Entry>;
  readonly removed: Set<number>;
  readonly control: { [K in keyof ControlRecords]?: ControlRecords[K] };
}

/** A store that tells of every commit, in order, before anybody learns its outcome. */
export function watchedStore(inner: Store, tab: string, watcher: Watcher): Store {
  return {
    async transact(durability, work) {
      const how = watcher.begins();
      if (how === 'never') return new Promise(() => undefined);
      if (how === 'fail') throw new OutboxError('storage-unavailable', storageIsGone);
      return inner.transact(durability, async (rows) => {
        const seen: Seen = { tab, puts: new Map(), removed: new Set(), control: {} };
        const value = await work(watching(rows, seen));
        if (seen.puts.size > 0 || seen.removed.size > 0 || Object.keys(seen.control).length > 0)
          watcher.committed(seen);
        return value;
      });
    },
    status: () => inner.status(),
    close: () => inner.close(),
  };
}

function watching(rows: Rows, seen: Seen): Rows {
  return {
    ...rows,
    async put(entry) {
      await rows.put(entry);
      seen.removed.delete(entry.seq);
      seen.puts.set(entry.seq, entry);
    },
    async remove(seq) {
      await rows.remove(seq);
      seen.puts.delete(seq);
      seen.removed.add(seq);
    },
    async putControl(name, value) {
      await rows.putControl(name, value);
      Object.assign(seen.control, { [name]: value });
    },
  };
}
