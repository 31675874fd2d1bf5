export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const oneFailed: Counts = { passed: 0, failed: 1, skipped: 0 };
export const onePassed: Counts = { passed: 1, failed: 0, skipped: 0 };

export function addCounts(all: Iterable<Counts>): Counts {
  let sum: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of all)
    sum = { passed: sum.passed + passed, failed: sum.failed + failed, skipped: sum.skipped + skipped };
  return sum;
}

/** The line that ends a run, and that machines read. */
export const inWords = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
