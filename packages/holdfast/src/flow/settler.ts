import type { Entry } from '../core/entry';
import { tallyAttempt, tallyRetry } from '../core/stats';
import { each } from './batch';
import type { Context } from './context';
import { log } from './context';
import type { Judged } from './judge';
import { learn } from './learn';
import { leavers } from './lane';
import { change, type Ledger } from './ledger';
import { notify } from './notify';
import { readAhead } from './read-ahead';
import { giveBack, settle, type LeftLine } from './settle';
import { tellFate } from './tell';

interface Item {
  readonly entry: Entry;
  /** Absent: it was claimed and not begun. */
  readonly judged?: Judged;
  readonly holdsLane: boolean;
}

interface Waiter {
  readonly item: Item;
  readonly resolve: (entry: Entry | undefined) => void;
  readonly reject: (why: unknown) => void;
}

interface Joiner {
  readonly work: (ledger: Ledger) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (why: unknown) => void;
}

/**
 * Writes outcomes in groups: a transaction that must reach the disk costs more than a quick request. They wait until there are
 * enough of them, until somebody claims, needs them written, or for a moment.
 */
export interface Settler {
  /**
   * Resolves when the outcome is on the disk.
   * @param claimFollows whoever hands it over goes on with `before` at once, so that a full group need not be written by itself
   */
  settle(item: Required<Item>, claimFollows?: boolean): Promise<void>;
  /** Gives back what was claimed and not begun, as if it had never been taken. */
  giveBack(entry: Entry): Promise<void>;
  /** Writes what is in hand and, in the same transaction, does `work`, which sees it written. */
  before<T>(work: (ledger: Ledger) => Promise<T>): Promise<T>;
  /** Has `work` done in the transaction that writes the next group. Rejects when that fails, and is not tried again. */
  alongside<T>(work: (ledger: Ledger) => Promise<T>): Promise<T>;
  /** Writes what is in hand now; who handed it over is told how that went. Never rejects. */
  flush(): Promise<void>;
}

/** So many outcomes are worth a transaction: what a kill makes us send again stays small. */
export const groupMax = 8;

/** What has gathered behind a transaction goes into the next together, so many at once: how long others wait for the store. */
const togetherMax = 4 * groupMax;

/** An outcome waits no longer than this for others, ms. */
const gatherMs = 100;

export function createSettler(context: Context): Settler {
  const waiting: Waiter[] = [];
  const joining: Joiner[] = [];
  let cancelTimer: (() => void) | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** One transaction after another: what gathers behind one goes into the next. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  }

  function add(item: Item, claimFollows = false): Promise<Entry | undefined> {
    return new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length >= groupMax && !claimFollows) void inTurn(() => writeDown(groupMax));
      else
        cancelTimer ??= context.system.timer(gatherMs, () => {
          cancelTimer = undefined;
          void flush();
        });
    });
  }

  function next(): readonly Waiter[] {
    const group = waiting.splice(0, togetherMax);
    if (waiting.length > 0) return group;
    cancelTimer?.();
    cancelTimer = undefined;
    return group;
  }

  /** @param least smaller groups go on waiting */
  async function writeDown(least: number): Promise<void> {
    while (waiting.length >= least) await write(next());
  }

  function flush(): Promise<void> {
    return inTurn(async () => {
      await writeDown(1);
      if (joining.length > 0) await together([], nothing).catch(() => undefined);
    });
  }

  /** When one cannot be written it takes nobody with it: each is tried alone. */
  async function write(group: readonly Waiter[]): Promise<void> {
    try {
      await together(group, nothing);
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error);
      else for (const one of group) await write([one]);
    }
  }

  async function together<T>(group: readonly Waiter[], work: (ledger: Ledger) => Promise<T>): Promise<T> {
    const items = group.map(({ item }) => item);
    const joined = joining.splice(0);
    const durability = items.length > 0 ? context.config.durability : 'relaxed';
    const changed = await change(
      context.store,
      durability,
      async (ledger) => {
        const gone = leavers(ledger);
        const outcomes = await each(items, (item) => writeOne(ledger, context, item, gone.note));
        await gone.promote();
        const extras = await each(joined, (one) => one.work(ledger));
        return { outcomes, extras, value: await work(ledger) };
      },
      (rows) => readAhead(rows, { seqs: items.map(({ entry }) => entry.seq) }),
    ).catch((error: unknown) => {
      for (const { reject } of joined) reject(error);
      throw error;
    });
    notify(context, changed);
    for (const [i, { resolve, reject }] of joined.entries()) {
      const extra = changed.value.extras[i];
      if (extra && 'value' in extra) resolve(extra.value);
      else reject(extra?.error);
    }
    for (const [i, { resolve, reject }] of group.entries()) {
      const outcome = changed.value.outcomes[i];
      if (outcome && 'value' in outcome) resolve(outcome.value);
      else reject(outcome?.error);
    }
    return changed.value.value;
  }

  return {
    async settle(item, claimFollows) {
      const entry = await add(item, claimFollows);
      if (entry) tellFate(context, entry, item.judged);
    },
    async giveBack(entry) {
      await add({ entry, holdsLane: false });
      log(context, { event: 'hold', level: 'debug', id: entry.id, route: entry.route });
    },
    before: (work) =>
      inTurn(async () => {
        await writeDown(togetherMax + 1);
        const group = next();
        try {
          return await together(group, work);
        } catch (error) {
          if (group.length === 0) throw error;
          await write(group);
          return together([], work);
        }
      }),
    alongside: <T>(work: (ledger: Ledger) => Promise<T>) =>
      new Promise<T>((resolve, reject) => joining.push({ work, resolve: resolve as (value: unknown) => void, reject })),
    flush,
  };
}

async function nothing(): Promise<void> {}

async function writeOne(
  ledger: Ledger,
  context: Context,
  { entry, judged, holdsLane }: Item,
  leftLine: LeftLine,
): Promise<Entry | undefined> {
  if (!judged) return giveBack(ledger, entry);
  await learn(ledger, context, judged, entry.request.url);
  const settling = { entry, settlement: judged.settlement, answer: judged.answer, apart: judged.apart, holdsLane };
  const now = await settle(ledger, settling, leftLine);
  if (now)
    ledger.tally(now.subject, (tally) =>
      tallyAttempt(now.state === 'pending' ? tallyRetry(tally, now.route) : tally, now.history),
    );
  return now;
}
