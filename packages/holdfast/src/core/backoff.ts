import { OutboxError } from './errors';

/**
 * How a wait is spread, so that clients coming back together do not arrive together. `d` is the undisturbed wait.
 *
 * - `none`: exactly d
 * - `full`: anywhere in [0, d)
 * - `equal`: anywhere in [d/2, d)
 * - `decorrelated`: anywhere between the base and three times the wait before, up to the cap
 * - `{ ratio }`: d give or take this share of it; 0.2 is ±20 %
 * - `{ addMs }`: d and up to so many milliseconds more
 */
export type Jitter =
  | 'none'
  | 'full'
  | 'equal'
  | 'decorrelated'
  | { readonly ratio: number }
  | { readonly addMs: number };

export interface Backoff {
  /** The first undisturbed wait, in milliseconds; 1 or more. @default 2_000 */
  readonly baseMs: number;
  /** By how much each wait is longer than the one before; 1 or more. @default 2 */
  readonly factor: number;
  /** The longest undisturbed wait, in milliseconds; `ratio` and `addMs` may go past it. @default 300_000 (5 minutes) */
  readonly capMs: number;
  /** How waits are spread. @default 'equal' */
  readonly jitter: Jitter;
}

export const defaultBackoff: Backoff = { baseMs: 2_000, factor: 2, capMs: 300_000, jitter: 'equal' };

/**
 * How long to wait after a failed attempt.
 *
 * @param failures    attempts that have failed so far; a whole number from 1
 * @param dice        a number in [0, 1), drawn by the caller
 * @param lastDelayMs the wait before this one, for `decorrelated`; the base when there was none
 * @returns           whole milliseconds, 0 or more and at most `longestDelayMs(options)`
 * @throws OutboxError `bad-option` when an option or `failures` is out of range
 * @see "Exponential Backoff And Jitter", AWS Architecture Blog, 2015
 */
export function backoffMs(failures: number, dice: number, options = defaultBackoff, lastDelayMs?: number): number {
  checkBackoff(options);
  if (!(Number.isInteger(failures) && failures >= 1)) {
    throw new OutboxError('bad-option', `failures must be a whole number from 1, got ${failures}`);
  }
  return Math.floor(spread(failures, dice, options, lastDelayMs ?? options.baseMs));
}

/** The longest wait `backoffMs` can give, in milliseconds: whatever is due later than this from now is a clock's mistake. */
export function longestDelayMs({ capMs, jitter }: Backoff): number {
  if (typeof jitter === 'string') return capMs;
  return 'ratio' in jitter ? capMs * (1 + jitter.ratio) : capMs + jitter.addMs;
}

/** @throws OutboxError `bad-option` naming the option and its range */
export function checkBackoff({ baseMs, factor, capMs, jitter }: Backoff): void {
  const must = (holds: boolean, rule: string): void => {
    if (!holds) throw new OutboxError('bad-option', `backoff.${rule}`);
  };
  must(Number.isFinite(baseMs) && baseMs >= 1, `baseMs must be 1 or more milliseconds, got ${baseMs}`);
  must(Number.isFinite(factor) && factor >= 1, `factor must be 1 or more, got ${factor}`);
  must(Number.isFinite(capMs) && capMs >= baseMs, `capMs must be a number not below baseMs (${baseMs}), got ${capMs}`);
  if (typeof jitter === 'string') {
    const known = ['none', 'full', 'equal', 'decorrelated'];
    must(known.includes(jitter), `jitter must be one of ${known.join(', ')}, { ratio } or { addMs }, got ${jitter}`);
  } else if ('ratio' in jitter) {
    must(jitter.ratio >= 0 && jitter.ratio <= 1, `jitter.ratio must be between 0 and 1, got ${jitter.ratio}`);
  } else {
    const { addMs } = jitter;
    must(Number.isFinite(addMs) && addMs >= 0, `jitter.addMs must be 0 or more milliseconds, got ${addMs}`);
  }
}

function spread(failures: number, dice: number, options: Backoff, lastDelayMs: number): number {
  const { baseMs, factor, capMs, jitter } = options;
  const plainMs = Math.min(capMs, baseMs * factor ** (failures - 1));
  if (jitter === 'none') return plainMs;
  if (jitter === 'full') return dice * plainMs;
  if (jitter === 'equal') return plainMs / 2 + (dice * plainMs) / 2;
  if (jitter === 'decorrelated') {
    return Math.min(capMs, baseMs + dice * Math.max(0, 3 * lastDelayMs - baseMs));
  }
  if ('ratio' in jitter) return plainMs * (1 + jitter.ratio * (2 * dice - 1));
  return plainMs + dice * jitter.addMs;
}
