import type { JournalLine } from '../core/control';
import type { System } from '../ports';
import type { CaughtBy } from './intent';

/**
 * Fetches an earlier run of this worker had begun and not answered. The engine dispatches them again to the next run, in any
 * order, and beside new ones: without a thought to it a lane's second request would overtake the first.
 */
export interface Returns {
  /** One has come back. @returns whether the others of its lane wait for it; otherwise it has to get in line like a new one */
  cameBack(key: string, caughtBy: CaughtBy): Promise<boolean>;
  /**
   * Resolves when all that the lane's earlier run had begun before this one are over, or did not come back.
   * @param key of one that came back itself: it waits for those before it only
   * @returns whether there were any
   */
  before(lane: string, caughtBy: CaughtBy, key: string | undefined): Promise<boolean>;
  /** One of them is over. */
  over(key: string): void;
}

/** They come back at once or not at all; this long after the first fetch of a run nobody waits for them any more, ms. */
const comeBackMs = 1_000;

interface Awaited {
  readonly key: string;
  readonly lane: string | undefined;
  readonly over: Promise<void>;
  readonly end: () => void;
  state: 'awaited' | 'here' | 'given up';
}

/** @param earlier the lines of runs that are dead, in the order in which they were begun */
export function createReturns(
  system: Pick<System, 'timer'>,
  earlier: (run: string) => Promise<readonly JournalLine[]>,
): Returns {
  let awaited: Promise<readonly Awaited[]> | undefined;

  async function list({ run, isOpen }: CaughtBy): Promise<readonly Awaited[]> {
    const lines = (await earlier(run)).filter(({ lane }) => lane !== undefined);
    // Whoever closed his tab makes no fetch again.
    const open = await Promise.all(lines.map(async ({ clientId }) => isOpen?.(clientId) ?? true));
    const all = lines.filter((_, nth) => open[nth]).map(({ key, lane }) => waitedFor(key, lane));
    const giveUp = (): void => {
      for (const one of all.filter(({ state }) => state === 'awaited')) {
        one.state = 'given up';
        one.end();
      }
    };
    if (all.length > 0) system.timer(comeBackMs, giveUp);
    return all;
  }

  function known(caughtBy: CaughtBy): Promise<readonly Awaited[]> {
    awaited ??= list(caughtBy).catch(() => []);
    return awaited;
  }

  return {
    async cameBack(key, caughtBy) {
      const one = (await known(caughtBy)).find((other) => other.key === key);
      if (one?.state !== 'awaited') return false;
      one.state = 'here';
      return true;
    },
    async before(lane, caughtBy, key) {
      const all = await known(caughtBy);
      const place = all.findIndex((one) => one.key === key && one.state === 'here');
      const mine = (place < 0 ? all : all.slice(0, place)).filter((one) => one.lane === lane);
      await Promise.all(mine.map((one) => one.over));
      return mine.length > 0;
    },
    over: (key) => void awaited?.then((all) => all.find((one) => one.key === key)?.end()),
  };
}

function waitedFor(key: string, lane: string | undefined): Awaited {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  return { key, lane, over, end, state: 'awaited' };
}
