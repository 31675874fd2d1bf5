import { clockSeen } from '../core/clock';
import { afterHint } from '../core/connectivity';
import type { Gates } from '../core/control';
import { own } from '../core/own';
import { claim, reclaim, type Claimed } from './claim';
import { log, type Context } from './context';
import { createFrozenHolder } from './frozen-holder';
import { change } from './ledger';
import { notify } from './notify';
import { sweep } from './sweep';
import { createSender, type Sender } from './send';

/** Why somebody wants the queue looked at. A hint (all but `timer`) allows one probe although things looked bad. */
export type WakeReason =
  'start' | 'timer' | 'online' | 'visible' | 'enqueue' | 'live-success' | 'sync' | 'person' | 'message';

export interface Drain {
  /** Looks at the queue now; calls while it runs make it look once more. Resolves when nothing can go at this moment. */
  wake(why: WakeReason): Promise<void>;
  /** When it will look again by itself, epoch ms; null when nothing waits. */
  nextAt(): number | null;
  /** Takes no new entries; resolves when what is under way has been settled. */
  stop(): Promise<void>;
}

export interface DrainOptions {
  /** How long one hold of the lock lasts at most, ms: a frozen tab must not hold everybody up. @default 20_000 */
  readonly sliceMs?: number;
  /** True when a newer worker waits to take over: the slice ends early. */
  readonly shouldYield?: () => boolean;
}

/** While something waits nobody sleeps longer than this, ms: whatever went wrong with a wake-up is healed by the next. */
const longestSleepMs = 300_000;

/** How soon to look again when somebody else holds the lock, ms. */
const lockRetryMs = 5_000;

/** Hints that come from the world outside; a timer of ours is none. */
const hints: readonly WakeReason[] = ['start', 'online', 'visible', 'enqueue', 'live-success', 'sync', 'person'];

/** Hints after which networks are often not up yet. */
const resumes: readonly WakeReason[] = ['start', 'online', 'visible'];

/** The walk itself: claim, send, classify, settle, notify, again, until nothing is due. Single-flight per context. */
export function createDrain(context: Context, options: DrainOptions = {}): Drain {
  const { sliceMs = 20_000, shouldYield = () => false } = options;
  const { system } = context;
  let running: Promise<void> | undefined;
  let again: WakeReason | undefined;
  let cancelTimer = (): void => undefined;
  let nextAt: number | null = null;
  let stopped = false;
  const frozenHolder = createFrozenHolder(context);

  async function run(why: WakeReason): Promise<void> {
    let reason: WakeReason | undefined = why;
    while (reason && !stopped) {
      again = undefined;
      await pass(reason);
      reason = again;
    }
    // In the same tick as the last look at `again`, or a wake in between would be lost.
    running = undefined;
  }

  async function pass(why: WakeReason): Promise<void> {
    let wantsNext: number | null;
    try {
      const turn = await inTurn(why);
      wantsNext = turn.held ? turn.value : system.now() + lockRetryMs;
    } catch (error) {
      // Whatever failed (storage, a bug): the queue is still there, so it is looked at again.
      log(context, { event: 'error', message: String(error) });
      context.tell({ type: 'error', code: codeOf(error), message: String(error) });
      wantsNext = system.now() + lockRetryMs;
    }
    arm(wantsNext);
  }

  async function inTurn(why: WakeReason): Promise<Awaited<ReturnType<typeof context.lock.hold<number | null>>>> {
    const work = (lost: { readonly lost: boolean }) => slice(why, lost);
    const turn = await context.lock.hold('drain', { wait: false }, work);
    if (turn.held || !(await frozenHolder.suspected())) return turn;
    log(context, { event: 'hold', message: 'the lock is taken from a context that seems frozen' });
    return context.lock.hold('drain', { wait: false, steal: true }, work);
  }

  function arm(at: number | null): void {
    cancelTimer();
    nextAt = at;
    if (at === null || stopped) return;
    const delayMs = Math.min(Math.max(0, at - system.now()), longestSleepMs);
    cancelTimer = system.timer(delayMs, () => void wake('timer'));
  }

  /** One hold of the lock. @returns when to look again */
  async function slice(why: WakeReason, lost: { readonly lost: boolean }): Promise<number | null> {
    frozenHolder.cleared();
    const subject = await context.subject();
    const endsAt = system.now() + sliceMs;
    const started = await change(context.store, 'relaxed', async (ledger) => {
      ledger.setGates(looked(ledger.gates, why, system.now()));
      await sweep(ledger, context);
      return subject === null ? 0 : reclaim(ledger, context, subject);
    });
    if (started.value > 0) notify(context, started);
    const sender = createSender(context, { subject, mayGoOn: () => !lost.lost && !stopped });
    let hinted = hints.includes(why);
    for (;;) {
      // Somebody else signed in: what is theirs is looked at in a slice of its own.
      const switched = (await context.subject()) !== subject;
      const over = switched || lost.lost || stopped || system.now() >= endsAt || shouldYield();
      const claimed = over ? undefined : await next(subject, sender, hinted);
      hinted = false;
      for (const parcel of claimed?.parcels ?? []) sender.start(parcel);
      if (claimed?.again) continue;
      if (sender.busy() === 0) {
        await drained(subject);
        return over && !stopped ? system.now() : (claimed?.nextAt ?? null);
      }
      await sender.oneDone();
    }
  }

  async function next(subject: string | null, sender: Sender, hinted: boolean): Promise<Claimed> {
    const going = { inFlight: sender.inFlight(), parcel: sender.parcelSize(), hinted };
    const changed = await change(context.store, 'relaxed', (ledger) => claim(ledger, context, subject, going));
    notify(context, changed);
    return changed.value;
  }

  /** Tells who refetches that nothing waits any more. */
  let hadWork = false;
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

  function wake(why: WakeReason): Promise<void> {
    if (stopped) return Promise.resolve();
    if (why !== 'timer') hadWork = true;
    if (running) {
      again = again && hints.includes(again) ? again : why;
      return running;
    }
    const mine = run(why);
    running = mine;
    return mine;
  }

  return {
    wake,
    nextAt: () => nextAt,
    async stop() {
      stopped = true;
      cancelTimer();
      await running;
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

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'storage-unavailable';
}
