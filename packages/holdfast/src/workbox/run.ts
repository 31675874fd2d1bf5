import type { Entry } from '../core/entry';
import { change, type Ledger } from '../flow/ledger';
import { notify } from '../flow/notify';
import { log } from '../flow/context';
import { dropped, goPast, isLoan, leftOver, lend, loanMs, passedOn, takeUp } from './lending';
import type { Line } from './line';

/** One call of the app's `onSync`. What it takes out of the queue meanwhile is lent to it. */
export interface Run {
  /** Resolves when no other run of this queue is alive anywhere. */
  readonly begun: Promise<void>;
  /** Lends an entry, and notes what the app has gone past. */
  lend(ledger: Ledger, entry: Entry): Promise<Entry>;
  /** The app has this entry's request in hand. @param sent whether it, or a copy of it, has been used */
  handed(entry: Entry, sent: () => boolean): void;
  /** The app put it back. */
  returned(seq: number): void;
}

interface Loan {
  readonly seq: number;
  readonly token: number;
  /** Undefined where it cannot be seen: a request without a body leaves no trace when it is sent. */
  readonly sent: (() => boolean) | undefined;
}

/** Runs `work` (the app's `onSync`) as the only run of this queue, and settles what it took and did not put back. */
export function startRun(line: Line, work: (run: Run) => Promise<void>): Promise<void> {
  const { context } = line;
  const loans = new Map<number, Loan>();
  let last: number | undefined;
  let begin = (): void => undefined;
  let giveUp = (_why: unknown): void => undefined;
  const begun = new Promise<void>((resolve, reject) => {
    begin = resolve;
    giveUp = reject;
  });
  begun.catch(() => undefined);

  const run: Run = {
    begun,
    async lend(ledger, entry) {
      for (const loan of loans.values()) {
        const row = loan.sent?.() ? await ledger.rows.bySeq(loan.seq) : undefined;
        if (isLoan(row, loan.token)) await goPast(ledger, row);
      }
      return lend(ledger, context, entry);
    },
    handed(entry, sent) {
      last = entry.seq;
      const seen = entry.body.size > 0 ? sent : undefined;
      loans.set(entry.seq, { seq: entry.seq, token: entry.lease?.token ?? 0, sent: seen });
    },
    returned: (seq) => void loans.delete(seq),
  };

  /** Strangers see by the lease that this run is alive. */
  function keepAlive(): () => void {
    const again = (): void => {
      cancel = context.system.timer(loanMs / 3, again);
      void renew([...loans.values()]).catch((error: unknown) => {
        log(context, { event: 'error', level: 'debug', message: String(error) });
      });
    };
    let cancel = context.system.timer(loanMs / 3, again);
    return () => cancel();
  }

  async function renew(held: readonly Loan[]): Promise<void> {
    if (held.length === 0) return;
    await change(context.store, 'relaxed', async (ledger) => {
      const until = context.system.now() + loanMs;
      for (const { seq, token } of held) {
        const row = await ledger.rows.bySeq(seq);
        if (isLoan(row, token) && row.lease) await ledger.update(row, { lease: { ...row.lease, until } });
      }
    });
  }

  async function settleAll(failed: boolean): Promise<void> {
    if (loans.size === 0) return;
    const changed = await change(context.store, context.config.durability, async (ledger) => {
      for (const loan of loans.values()) {
        const row = await ledger.rows.bySeq(loan.seq);
        if (isLoan(row, loan.token)) await settleOne(ledger, row, loan, failed);
      }
    });
    notify(context, changed);
  }

  async function settleOne(ledger: Ledger, row: Entry, { seq, sent }: Loan, failed: boolean): Promise<void> {
    const now = context.system.now();
    const unsent = sent !== undefined && !sent();
    if (failed && (unsent || seq === last)) await leftOver(ledger, row, now);
    else if (unsent) await dropped(ledger, row, 'the app took it out of the queue and did not send it', now);
    else await passedOn(ledger, row, now);
  }

  const held = context.lock.hold(`run:${line.queue}`, { wait: true }, async () => {
    notify(context, await change(context.store, 'relaxed', (ledger) => takeUp(ledger, context, line.queue)));
    const stop = keepAlive();
    begin();
    try {
      await working;
      await settleAll(false);
    } catch (error) {
      await settleAll(true);
      throw error;
    } finally {
      stop();
    }
  });
  // The app's code starts at once; what it takes waits until this run is the only one.
  const working = (async () => work(run))();
  working.catch(() => undefined);
  return held.then(
    () => undefined,
    (error: unknown) => {
      giveUp(error);
      throw error;
    },
  );
}
