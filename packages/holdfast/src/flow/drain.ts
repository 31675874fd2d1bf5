import type { Held } from '../ports';
import { log, type Context } from './context';
import { createFrozenHolder } from './frozen-holder';
import { reportError } from './report-error';
import { createSlices } from './slice';
import { isHint, type WakeReason } from './wake-reason';

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
  /** True when a newer worker waits to take over: the slice ends early, though not before it has sent something. */
  readonly shouldYield?: () => boolean;
}

/** While something waits nobody sleeps longer than this, ms: whatever went wrong with a wake-up is healed by the next. */
const longestSleepMs = 300_000;

/** How soon to look again when somebody else holds the lock, ms. */
const lockRetryMs = 5_000;

/** The walk itself: claim, send, classify, settle, notify, again, until nothing is due. Single-flight per context. */
export function createDrain(context: Context, options: DrainOptions = {}): Drain {
  const { sliceMs = 20_000, shouldYield = () => false } = options;
  const { system } = context;
  let running: Promise<void> | undefined;
  let again: WakeReason | undefined;
  let cancelTimer = (): void => undefined;
  let nextAt: number | null = null;
  let stopped = false;
  const slices = createSlices(context, { sliceMs, shouldYield, stopped: () => stopped });
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
      reportError(context, error);
      wantsNext = system.now() + lockRetryMs;
    }
    arm(wantsNext);
  }

  async function inTurn(why: WakeReason): Promise<Awaited<ReturnType<typeof context.lock.hold<number | null>>>> {
    const work = (hold: Held): Promise<number | null> => {
      frozenHolder.cleared();
      return slices.work(why, hold);
    };
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

  function wake(why: WakeReason): Promise<void> {
    if (stopped) return Promise.resolve();
    slices.nudge(why);
    if (running) {
      again = again && isHint(again) ? again : why;
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
