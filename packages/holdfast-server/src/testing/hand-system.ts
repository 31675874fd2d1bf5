import type { System } from '../system';

/** A system whose time passes only when told to. */
export interface HandSystem extends System {
  /** Lets time pass; timers that come due run in their order, and what they start is waited for a few turns. */
  pass(ms: number): Promise<void>;
  /** How many timers are set. */
  timers(): number;
}

let systems = 0;

export function handSystem(startAt = 1_790_000_000_000): HandSystem {
  let now = startAt;
  let timers: { readonly at: number; readonly work: () => void }[] = [];
  const name = `system-${(systems += 1)}`;

  return {
    now: () => now,
    uniqueId: () => name,
    after(delayMs, work) {
      const timer = { at: now + delayMs, work };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async pass(ms) {
      const until = now + ms;
      for (;;) {
        const next = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers = timers.filter((other) => other !== next);
        now = Math.max(now, next.at);
        next.work();
        await turns();
      }
      now = until;
      await turns();
    },
    timers: () => timers.length,
  };
}

/** Long enough for promises that wait for nothing but each other. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}
