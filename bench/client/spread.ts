/** The middle of several rounds, and how far they lie apart. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** @param values at least one */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? NaN;
  const median = sorted.length % 2 ? high : ((sorted[middle - 1] ?? NaN) + high) / 2;
  return { median, min: sorted[0] ?? NaN, max: sorted.at(-1) ?? NaN };
}
