/** Requests of one lane go one after another: the second must not arrive before the first, or overtake it when it fails. */
export interface Turns {
  /** Draws a number at once; resolves when everybody who came earlier is done, or has handed over what he had. */
  take(lane: string | null): Promise<Turn>;
}

export interface Turn {
  /** Somebody was before it: what was seen when its number was drawn is out of date. */
  readonly waited: boolean;
  /**
   * Something made earlier is being stored at this moment. It is the lane's backlog, though the store cannot show it yet:
   * whoever comes now has to get in line behind it.
   */
  readonly behind: boolean;
  /** What had the turn is on its way into the store, in the order of the turns: the next may follow it there at once. */
  handOver(stored: Promise<unknown>): void;
  done(): void;
}

/** Of something without a lane. */
export const free: Turn = { waited: false, behind: false, handOver: () => undefined, done: () => undefined };

export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  const storing = new Map<string, number>();

  function count(lane: string, by: 1 | -1): void {
    const now = (storing.get(lane) ?? 0) + by;
    if (now > 0) storing.set(lane, now);
    else storing.delete(lane);
  }

  return {
    async take(lane) {
      if (lane === null) return free;
      const before = last.get(lane);
      let next = (): void => undefined;
      const mine = new Promise<void>((resolve) => (next = resolve));
      last.set(lane, mine);
      await before;
      const done = (): void => {
        if (last.get(lane) === mine) last.delete(lane);
        next();
      };
      return {
        waited: before !== undefined,
        behind: storing.has(lane),
        handOver(stored) {
          count(lane, 1);
          const over = (): void => count(lane, -1);
          stored.then(over, over);
          done();
        },
        done,
      };
    },
  };
}
