import type { System } from '../ports';

/** Where a fetch stood among all that its run has caught. */
export interface Place {
  readonly lane: string | null;
  /** Epoch ms. */
  readonly at: number;
  readonly nth: number;
  /** Resolves when those who came earlier are noted, or will not be. */
  readonly earlierNoted: Promise<unknown>;
  /** This one is noted, or will not be. */
  readonly passed: () => void;
}

/**
 * Gives out places. Of one lane nobody is noted before those who came earlier, so that whoever comes back unknown to the next
 * run came later than all that are known.
 */
export function createPlaces(system: Pick<System, 'now'>): (lane: string | null) => Place {
  let arrived = 0;
  const last = new Map<string, Promise<void>>();
  return (lane) => {
    let passed = (): void => undefined;
    const mine = new Promise<void>((resolve) => (passed = resolve));
    const earlierNoted = (lane !== null && last.get(lane)) || Promise.resolve();
    if (lane !== null) last.set(lane, mine);
    return {
      lane,
      at: system.now(),
      nth: (arrived += 1),
      earlierNoted,
      passed() {
        passed();
        if (lane !== null && last.get(lane) === mine) last.delete(lane);
      },
    };
  };
}
