import type { System } from '../../ports';
import type { Facts } from './facts';

/** How many timers and transactions may follow on each other at one moment of the clock; more is a loop without an end. */
const mostAtOnce = 3_000;

/** Counts what happens while no time passes. */
export interface Stopwatch {
  /** @returns false when this goes round in circles, and must be stopped */
  count(): boolean;
}

export function createStopwatch(facts: Facts, system: Pick<System, 'now'>): Stopwatch {
  let moment = -1;
  let seen = 0;
  return {
    count() {
      const now = system.now();
      if (now !== moment) [moment, seen] = [now, 0];
      seen += 1;
      if (seen === mostAtOnce) facts.violated('gentle', 'it goes round in circles without an end');
      return seen < mostAtOnce;
    },
  };
}
