import type { System } from '../ports';

export interface FakeSystemOptions {
  /** Wall clock at the start, epoch ms. @default 0 */
  readonly now?: number;
  /** Where the dice and the ids start; the same seed gives the same run. @default 1 */
  readonly seed?: number;
  /**
   * How many turns of the event loop are left to other work after each timer. One lets every promise settle that needs
   * nothing but promises; a store on fake-indexeddb needs about 20. @default 1
   */
  readonly settleTurns?: number;
}

/** A clock that only moves when told to. */
export interface FakeSystem extends System {
  /** Lets the time pass: runs every timer that falls due, each at its own moment, and lets promises settle after each. */
  passMs(ms: number): Promise<void>;
  /** Lets promises settle without moving the clock. */
  settle(): Promise<void>;
  /** Somebody sets the wall clock; timers keep their distance. */
  setClock(now: number): void;
  /** What the platform says about the network from now on; nothing is cut by it. */
  sayOffline(offline: boolean): void;
  /** What the platform says about the cost of the connection from now on. */
  sayMetered(metered: boolean): void;
  /** How many timers are waiting. */
  timers(): number;
  /** Wall clock moment of the next timer, or undefined when none waits. */
  nextTimerAt(): number | undefined;
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly work: () => void;
}

export function fakeSystem(options: FakeSystemOptions = {}): FakeSystem {
  const { now = 0, seed = 1, settleTurns = 1 } = options;
  const random = dice(seed);
  const timers = new Set<Timer>();
  let passed = 0;
  let offset = now;
  let ids = 0;
  let offline = false;
  let metered = false;
  let order = 0;

  const next = (until: number) => {
    let soonest: Timer | undefined;
    for (const timer of timers) {
      if (timer.at > until) continue;
      if (!soonest || timer.at < soonest.at || (timer.at === soonest.at && timer.order < soonest.order))
        soonest = timer;
    }
    return soonest;
  };
  async function settle(): Promise<void> {
    for (let turn = 0; turn < settleTurns; turn += 1) await eventLoopTurn();
  }

  return {
    now: () => passed + offset,
    random,
    id: () => `id-${seed}-${(ids += 1)}`,
    uuid() {
      const hex = Array.from({ length: 30 }, () => Math.floor(random() * 16).toString(16)).join('');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-a${hex.slice(15, 18)}-${hex.slice(18)}`;
    },
    timer(delayMs, work) {
      const timer = { at: passed + Math.max(0, delayMs), order: (order += 1), work };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async passMs(ms) {
      const until = passed + ms;
      await settle();
      for (let timer = next(until); timer; timer = next(until)) {
        timers.delete(timer);
        passed = Math.max(passed, timer.at);
        timer.work();
        await settle();
      }
      passed = until;
    },
    settle,
    saysOffline: () => offline,
    sayOffline: (says) => void (offline = says),
    saysMetered: () => metered,
    sayMetered: (says) => void (metered = says),
    setClock: (to) => void (offset = to - passed),
    timers: () => timers.size,
    nextTimerAt: () => {
      const timer = next(Infinity);
      return timer && timer.at + offset;
    },
  };
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One turn of the event loop, after all microtasks; without the 1 ms (or 4 ms) a zero timer costs. */
function eventLoopTurn(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: (work: () => void) => void };
  if (setImmediate) return new Promise((resolve) => setImmediate(resolve));
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
