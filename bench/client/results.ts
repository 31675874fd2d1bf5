import { readFileSync, writeFileSync } from 'node:fs';
import { keys, sizeKeys, type Key } from './keys.ts';
import { spreadOf, type Spread } from './spread.ts';

export interface Result extends Spread {
  /** As `>= 1.2`. */
  readonly goal: string;
}

export type Results = Record<string, Result>;

export function resultOf(goal: Key['goal'], values: readonly number[]): Result {
  const { median, min, max } = spreadOf(values);
  const rounded = (value: number): number => Number(value.toPrecision(3));
  return { median: rounded(median), min: rounded(min), max: rounded(max), goal: `${goal.is} ${goal.value}` };
}

export function isMet({ median, goal }: Result): boolean {
  const [is, value] = goal.split(' ');
  return is === '>=' ? median >= Number(value) : median <= Number(value);
}

/** Puts what was measured now in the place of what was measured before; the keys are those of `keys.ts`, in their order. */
export function writeResults(file: string, fresh: Results): void {
  const all: Results = { ...readResults(file), ...fresh };
  const known = [...Object.keys(keys), ...Object.keys(sizeKeys)].filter((key) => all[key]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(known.map((key) => [key, all[key]])), null, 2)}\n`);
}

function readResults(file: string): Results {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Results;
  } catch {
    return {};
  }
}

/** Rows in columns, the first to the left. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const line = (row: readonly string[]): string =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}
