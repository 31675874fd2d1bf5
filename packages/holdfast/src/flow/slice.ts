import { afterHint } from '../core/connectivity';
import { clockSeen } from '../core/clock';
import type { Gates } from '../core/control';
import { own } from '../core/own';
import type { Held } from '../ports';
import { claim, reclaim, type Claimed } from './claim';
import { log, type Context } from './context';
import { change } from './ledger';
import { notify } from './notify';
import { reportError } from './report-error';
import { createSender, type Sender } from './send';
import { createSettler, type Settler } from './settler';
import { sweep } from './sweep';
import { isHint, type WakeReason } from './wake-reason';

/** Work under the lock, a bounded time of it. */
export interface Slices {
  /** One hold of the lock. @returns when to look again, epoch ms; null when nothing waits */
  work(why: WakeReason, hold: Held): Promise<number | null>;
  /** Somebody wakes a slice that waits for what is under way. */
  nudge(why: WakeReason): void;
}

export interface SliceOptions {
  readonly sliceMs: number;
  readonly shouldYield: () => boolean;
  /** The drain was told to stop. */
  readonly stopped: () => boolean;
}

/**
 * How long a slice that ended for a newer worker leaves the lock to it, ms. That one may wait for days until the last tab is
 * closed, so this one goes on sending, a little at a time.
 */
const yieldMs = 1_000;

/** A slice whose time is up waits this long for what is under way; for what may take longer it goes on for the others' sake, ms. */
const patienceMs = 60_000;

/** Nothing is so urgent that it is looked for more often than this while something is under way, ms. */
const breathMs = 250;

/** How soon a slice that has requests under way tries the store again after it failed, ms. */
const storeRetryMs = 5_000;

/** Hints after which networks are often not up yet. */
const resumes: readonly WakeReason[] = ['start', 'online', 'visible'];

export function createSlices(context: Context, { sliceMs, shouldYield, stopped }: SliceOptions): Slices {
  const { system } = context;
  const ignore = (): void => undefined;
  let nudge: (why: WakeReason) => void = ignore;
  /** Whether anything waited at the last look; who refetches is told when that changes. */
  let hadWork = false;

  async function work(why: WakeReason, hold: Held): Promise<number | null> {
    const subject = await context.subject();
    const endsAt = system.now() + sliceMs;
    const started = await change(context.store, 'relaxed', async (ledger) => {
      ledger.setGates(looked(ledger.gates, why, system.now()));
      await sweep(ledger, context);
      return subject === null ? 0 : reclaim(ledger, context, subject, hold.alone);
    });
    if (started.value > 0) notify(context, started);
    const settler = createSettler(context);
    const sender = createSender(context, { settler, subject, mayGoOn: () => !hold.lost && !stopped() });
    let hinted = isHint(why);
    for (let round = 0; ; round += 1) {
      let dueAt: number | null;
      const ended = sender.ended();
      try {
        // Somebody else signed in: what is theirs is looked at in a slice of its own.
        const switched = (await context.recentSubject()) !== subject;
        const over = switched || hold.lost || stopped() || timeIsUp(endsAt, sender) || (round > 0 && shouldYield());
        const claimed = over ? undefined : await next(subject, sender, settler, hinted);
        for (const parcel of claimed?.parcels ?? []) sender.start(parcel);
        hinted = false;
        // What a slot has done meanwhile is not written yet, so the look did not see it.
        if (claimed?.again || (claimed && sender.ended() > ended)) continue;
        if (sender.busy() === 0) {
          await settler.flush();
          await drained(subject);
          return over && !stopped() ? system.now() + (shouldYield() ? yieldMs : 0) : (claimed?.nextAt ?? null);
        }
        dueAt = claimed?.nextAt ?? null;
      } catch (error) {
        // Whoever gets the lock next believes that nothing of ours is under way any more, so that is waited for.
        await settler.flush();
        if (sender.busy() === 0) throw error;
        reportError(context, error);
        dueAt = system.now() + storeRetryMs;
      }
      hinted = await meanwhile(sender, ended, dueAt);
    }
  }

  function timeIsUp(endsAt: number, sender: Sender): boolean {
    return system.now() >= endsAt && sender.quietAt() <= system.now() + patienceMs;
  }

  /**
   * Something is under way, perhaps for long: others are looked at when a slot is free, when somebody wakes, and when the next
   * is due.
   * @param ended how many slots had ended at the last look
   * @returns whether a hint from outside came
   */
  function meanwhile(sender: Sender, ended: number, dueAt: number | null): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (hint: boolean): void => {
        cancel();
        nudge = ignore;
        resolve(hint);
      };
      const look = (): void => finish(false);
      const cancel = dueAt === null ? ignore : system.timer(Math.max(breathMs, dueAt - system.now()), look);
      nudge = (why) => finish(isHint(why));
      sender.oneDone(ended).then(look, (error: unknown) => {
        reportError(context, error);
        look();
      });
    });
  }

  /** Writes what has been done and takes what may go now, in one transaction. */
  function next(subject: string | null, sender: Sender, settler: Settler, hinted: boolean): Promise<Claimed> {
    const going = { inFlight: new Map(sender.inFlight()), parcel: sender.parcelSize(), hinted };
    return settler.before((ledger) => claim(ledger, context, subject, going));
  }

  /** Tells who refetches that nothing waits any more. */
  async function drained(subject: string | null): Promise<void> {
    const book = await context.store.transact('read', (rows) => rows.control('book'));
    const counts = own(book?.subjects, subject ?? '');
    const waiting = (counts?.pending ?? 0) + (counts?.sending ?? 0);
    if (waiting === 0 && hadWork) {
      log(context, { event: 'drained', queued: 0 });
      context.tell({ type: 'drained', lane: null });
    }
    hadWork = waiting > 0;
  }

  return {
    work,
    nudge(why) {
      if (why !== 'timer') hadWork = true;
      nudge(why);
    },
  };
}

/** How old the last look may be in the store before it is worth a write, ms. */
const lookEveryMs = 600_000;

/** Each look is noted (rarely, for the clock's sake), and a hint that the network may be back. */
function looked(gates: Gates, why: WakeReason, now: number): Gates {
  const noted =
    Math.abs(now - gates.clock.seenAt) < lookEveryMs ? gates : { ...gates, clock: clockSeen(gates.clock, now) };
  if (!resumes.includes(why) || gates.connectivity.verdict === 'online') return noted;
  return { ...noted, connectivity: afterHint(gates.connectivity, 'online', now) };
}
