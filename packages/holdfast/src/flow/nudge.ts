import type { System } from '../ports';

/** One wake-up for many reasons. */
export interface Nudge {
  /** Resolves when a wake-up that began after this call is over. Rejects as that does. */
  (): Promise<void>;
}

/**
 * How long to wait after a wake-up before the next of the same kind, ms. A burst of a thousand writes wakes the sender a few
 * times instead of a thousand; each costs a registration with the browser, a lock and some transactions that the writes of
 * the same burst wait for.
 */
const restMs = 100;

/** Wakes at once, and for those who come while it rests once more at the end of that. */
export function createNudge(system: Pick<System, 'timer'>, wake: () => Promise<void>): Nudge {
  let resting = false;
  let next: { readonly done: Promise<void>; readonly start: () => void } | undefined;

  function begin(): Promise<void> {
    resting = true;
    system.timer(restMs, () => {
      resting = false;
      const waiting = next;
      next = undefined;
      waiting?.start();
    });
    return wake();
  }

  return () => {
    if (!resting) return begin();
    next ??= later(begin);
    return next.done;
  };
}

function later(work: () => Promise<void>): { done: Promise<void>; start: () => void } {
  let start = (): void => undefined;
  const started = new Promise<void>((resolve) => (start = resolve));
  return { done: started.then(work), start };
}
