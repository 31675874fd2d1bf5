import type { Entry } from '../core/entry';
import { tallyAttempt, tallyRetry } from '../core/stats';
import { batch, each } from './batch';
import type { Context } from './context';
import { log } from './context';
import type { Judged } from './judge';
import { learn } from './learn';
import { change, type Ledger } from './ledger';
import { notify } from './notify';
import { release, settle } from './settle';
import { tellFate } from './tell';

interface Item {
  readonly entry: Entry;
  /** Absent: it was claimed and not begun. */
  readonly judged?: Judged;
  readonly holdsLane: boolean;
}

/** Writes outcomes in groups: while one transaction commits, the next outcomes gather. */
export interface Settler {
  /** Resolves when the outcome is on the disk. */
  settle(item: Required<Item>): Promise<void>;
  /** Gives back what was claimed and not begun, as if it had never been taken. */
  giveBack(entry: Entry): Promise<void>;
}

export function createSettler(context: Context): Settler {
  const writes = batch<Item, Entry | undefined>(async (items) => {
    const changed = await change(context.store, context.config.durability, (ledger) =>
      each(items, (item) => write(ledger, context, item)),
    );
    notify(context, changed);
    return changed.value;
  });
  return {
    async settle(item) {
      const entry = await writes.add(item);
      if (entry) tellFate(context, entry, item.judged);
    },
    async giveBack(entry) {
      await writes.add({ entry, holdsLane: false });
      log(context, { event: 'hold', level: 'debug', id: entry.id, route: entry.route });
    },
  };
}

async function write(ledger: Ledger, context: Context, { entry, judged, holdsLane }: Item): Promise<Entry | undefined> {
  if (!judged) {
    const now = await ledger.rows.bySeq(entry.seq);
    return now?.state === 'sending' && now.lease?.token === entry.lease?.token ? release(ledger, now, {}) : undefined;
  }
  await learn(ledger, context, judged, entry.request.url);
  const now = await settle(ledger, { entry, settlement: judged.settlement, answer: judged.answer, holdsLane });
  if (now)
    ledger.tally(now.subject, (tally) =>
      tallyAttempt(now.state === 'pending' ? tallyRetry(tally, now.route) : tally, now.history),
    );
  return now;
}
