import { OutboxError } from '../core/errors';
import type { Store, StoreStatus } from '../ports';
import { memoryRows, memoryTables } from './memory-rows';

export interface MemoryStoreOptions {
  /** Why there is only memory; shown in the status. */
  readonly problem?: NonNullable<StoreStatus['problem']>;
}

/**
 * A store that lives as long as its context: for tests, and as the declared last resort where the browser offers no
 * storage (its status says `memory`). Transactions run one after another, and one whose work throws is taken back.
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const tables = memoryTables();
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  async function run<T>(writes: boolean, work: Parameters<Store['transact']>[1]): Promise<T> {
    if (closed) throw new OutboxError('closed', 'this store was closed; open it again');
    const steps: (() => void)[] = [];
    let active = true;
    const mustBeActive = () => {
      if (!active) throw new TypeError('this transaction is over; await every call inside the work');
    };
    const rows = memoryRows(tables, {
      mustBeActive,
      mustBeWritable: () => {
        mustBeActive();
        if (!writes) throw new TypeError('a read transaction changes nothing; ask for `strict` or `relaxed`');
      },
      undo: (step) => void steps.push(step),
    });
    try {
      return (await work(rows)) as T;
    } catch (error) {
      for (const step of steps.reverse()) step();
      throw error;
    } finally {
      active = false;
    }
  }

  return {
    transact<T>(durability: Parameters<Store['transact']>[0], work: Parameters<Store['transact']>[1]) {
      const turn = last.then(() => run<T>(durability !== 'read', work));
      last = turn.catch(() => undefined);
      return turn;
    },
    status: () => ({ durability: 'memory', ...(options.problem && { problem: options.problem }) }),
    close: () => void (closed = true),
  };
}
