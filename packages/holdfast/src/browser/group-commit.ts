import { OutboxError } from '../core/errors';
import type { ControlRecords, Durability, Rows, Store } from '../ports';

interface Job {
  readonly durability: Durability;
  readonly work: (rows: Rows) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** So many works share a transaction at most: it stays short enough for others to get their turn. */
const LARGEST_GROUP = 64;

/**
 * Writes that come in while a transaction commits share the next one, and its durability is the strictest that any of them
 * asked for. Each still sees what the one before it left, and is answered after the commit.
 *
 * A work that throws before it wrote takes nobody with it. One that throws later has left half a change behind, so the
 * transaction is taken back and each work runs again in one of its own: works must be repeatable anyway.
 */
export function groupCommit<S extends Store>(store: S): S {
  const waiting: Job[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    // One turn, so that what is asked for in the same tick goes together.
    await Promise.resolve();
    while (waiting.length > 0) await commit(waiting.splice(0, LARGEST_GROUP));
    running = false;
  }

  async function commit(jobs: readonly Job[]): Promise<void> {
    const [only] = jobs;
    if (only && jobs.length === 1) return alone(only);
    const durability = jobs.some((job) => job.durability === 'strict') ? 'strict' : 'relaxed';
    try {
      const outcomes = await store.transact(durability, (rows) => together(rows, jobs));
      for (const [at, outcome] of outcomes.entries()) settle(jobs[at]!, outcome);
    } catch (error) {
      if (isEverybodys(error)) for (const job of jobs) job.reject(error);
      else for (const job of jobs) await alone(job);
    }
  }

  async function alone(job: Job): Promise<void> {
    try {
      job.resolve(await store.transact(job.durability, job.work));
    } catch (error) {
      job.reject(error);
    }
  }

  return {
    ...store,
    transact<T>(durability: Durability, work: (rows: Rows) => Promise<T>): Promise<T> {
      if (durability === 'read') return store.transact(durability, work);
      return new Promise<T>((resolve, reject) => {
        waiting.push({ durability, work, resolve: resolve as (value: unknown) => void, reject });
        if (!running) void run();
      });
    },
  };
}

function settle(job: Job, outcome: Outcome): void {
  if ('value' in outcome) job.resolve(outcome.value);
  else job.reject(outcome.error);
}

/** The store itself is out of order: asking again for each would only make them wait. */
function isEverybodys(error: unknown): boolean {
  return error instanceof OutboxError && (error.code.startsWith('storage-') || error.code === 'closed');
}

async function together(rows: Rows, jobs: readonly Job[]): Promise<Outcome[]> {
  const { shared, flush } = withSharedControl(rows);
  const outcomes: Outcome[] = [];
  for (const { work } of jobs) {
    const { watched, wrote } = watchWrites(shared);
    try {
      outcomes.push({ value: await work(watched) });
    } catch (error) {
      if (wrote()) throw error;
      outcomes.push({ error });
    }
  }
  await flush();
  return outcomes;
}

/** Every work reads and writes the ledger; in a group it is read once and written once. */
function withSharedControl(rows: Rows): { readonly shared: Rows; readonly flush: () => Promise<void> } {
  const known = new Map<string, unknown>();
  const changed = new Map<string, () => Promise<void>>();
  const shared: Rows = {
    ...rows,
    async control(name) {
      if (!known.has(name)) known.set(name, await rows.control(name));
      return known.get(name) as ControlRecords[typeof name] | undefined;
    },
    async putControl(name, value) {
      known.set(name, value);
      changed.set(name, () => rows.putControl(name, value));
    },
  };
  return {
    shared,
    async flush() {
      for (const put of changed.values()) await put();
    },
  };
}

function watchWrites(rows: Rows): { readonly watched: Rows; readonly wrote: () => boolean } {
  let written = false;
  const marked =
    <Args extends unknown[]>(write: (...args: Args) => Promise<void>) =>
    (...args: Args) => {
      written = true;
      return write(...args);
    };
  const watched: Rows = {
    ...rows,
    put: marked((entry) => rows.put(entry)),
    remove: marked((seq) => rows.remove(seq)),
    putBody: marked((seq, body) => rows.putBody(seq, body)),
    removeBody: marked((seq) => rows.removeBody(seq)),
    putControl(name, value) {
      written = true;
      return rows.putControl(name, value);
    },
  };
  return { watched, wrote: () => written };
}
