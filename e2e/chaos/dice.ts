/** Chance that can be repeated. */
export interface Dice {
  /** In [0, 1). */
  roll(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  pick<T>(things: readonly T[]): T;
  /** Picks by weight; names of weight 0 never come. */
  weighed<Name extends string>(weights: Readonly<Partial<Record<Name, number>>>): Name;
}

/** Mulberry32: 32 bits of state, the same numbers for the same seed in every engine. */
export function diceOf(seed: number): Dice {
  let state = seed | 0;
  const roll = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    roll,
    between: (low, high) => low + Math.floor(roll() * (high - low + 1)),
    pick: (things) => things[Math.floor(roll() * things.length)]!,
    weighed(weights) {
      const all = Object.entries(weights) as [never, number][];
      let left = roll() * all.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of all) if ((left -= weight) < 0) return name;
      return all.at(-1)![0];
    },
  };
}
