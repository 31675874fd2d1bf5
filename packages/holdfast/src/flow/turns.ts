/** Requests of one lane go one after another: the second must not arrive before the first, or overtake it when it fails. */
export interface Turns {
  /** Resolves when everybody who came earlier is done; call what it resolves with when you are. */
  take(laneKey: string | null): Promise<() => void>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return {
    async take(laneKey) {
      if (laneKey === null) return () => undefined;
      const before = last.get(laneKey);
      let done = (): void => undefined;
      const mine = new Promise<void>((resolve) => (done = resolve));
      last.set(laneKey, mine);
      await before;
      return () => {
        if (last.get(laneKey) === mine) last.delete(laneKey);
        done();
      };
    },
  };
}
