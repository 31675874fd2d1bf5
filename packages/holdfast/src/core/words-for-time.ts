const UNITS = [
  { name: 'day', ms: 86_400_000 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'second', ms: 1_000 },
];

/** A duration for people, in the largest unit it holds one of: `4.2 minutes`, `1 hour`, `300 milliseconds`. */
export function inWords(durationMs: number): string {
  const unit = UNITS.find(({ ms }) => durationMs >= ms) ?? { name: 'millisecond', ms: 1 };
  const amount = Math.round((durationMs / unit.ms) * 10) / 10;
  return `${amount} ${unit.name}${amount === 1 ? '' : 's'}`;
}
