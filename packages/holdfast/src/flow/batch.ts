/** Collects what arrives while one write is under way and hands it over together: group commit without a timer. */
export interface Batch<Item, Result> {
  /** Resolves when the write that took it is committed; rejects when that fails. */
  add(item: Item): Promise<Result>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

type Outcome<Result> = { readonly value: Result } | { readonly error: unknown };
type Waiter<Item, Result> = {
  readonly item: Item;
  readonly resolve: (value: Result) => void;
  readonly reject: (why: unknown) => void;
};

export interface BatchOptions {
  /** At most this many at once. @default 256 */
  readonly limit?: number;
  /** How many turns of the microtask queue may lie between two items that belong together. @default 1 */
  readonly turns?: number;
}

/**
 * @param write handles many items in one transaction, and answers each by position; when it rejects, each item is tried
 *              alone, so that one that cannot be written takes nobody with it
 */
export function batch<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
  { limit = 256, turns = 1 }: BatchOptions = {},
): Batch<Item, Result> {
  const waiting: Waiter<Item, Result>[] = [];
  let running: Promise<void> | undefined;

  async function attempt(group: readonly Waiter<Item, Result>[]): Promise<void> {
    try {
      const outcomes = await write(group.map(({ item }) => item));
      group.forEach(({ resolve, reject }, i) => {
        const outcome = outcomes[i];
        if (outcome && 'value' in outcome) resolve(outcome.value);
        else reject(outcome?.error ?? new Error('a batch left an item unanswered'));
      });
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error);
      else for (const one of group) await attempt([one]);
    }
  }

  /** What is asked for in the same tick goes together, also when each has to wait for the one before it. */
  async function gathered(): Promise<void> {
    for (let before = 0; before < waiting.length && waiting.length < limit;) {
      before = turns > 1 ? waiting.length : Infinity;
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    }
  }

  async function run(): Promise<void> {
    await gathered();
    while (waiting.length > 0) await attempt(waiting.splice(0, limit));
    running = undefined;
  }

  return {
    add: (item) =>
      new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        running ??= run();
      }),
    idle: async () => {
      while (running) await running;
    },
  };
}

/** Runs `work` for each item and keeps errors apart. */
export async function each<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Outcome<Result>[]> {
  const outcomes: Outcome<Result>[] = [];
  for (const item of items) {
    try {
      outcomes.push({ value: await work(item) });
    } catch (error) {
      outcomes.push({ error });
    }
  }
  return outcomes;
}
