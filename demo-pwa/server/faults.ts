import type { FaultMode, Faults } from '../wire';
import { Problem } from './problem';

export const faultModes: readonly FaultMode[] = [
  'ok',
  'refuse',
  'reset-before',
  'reset-after',
  'hang',
  '503',
  '429',
  '500',
  'captive',
  'slow',
  'crash',
];

export const noFaults: Faults = { mode: 'ok', retryAfterSeconds: 5, slowMs: 4_000, times: null, only: 'all' };

/**
 * Reads what `PUT /__faults` was sent. What is not said is the default, so that one call fully decides.
 *
 * @throws Problem 400
 */
export function readFaults(body: unknown): Faults {
  const wish = (typeof body === 'object' && body ? body : {}) as Record<string, unknown>;
  const wrong = (rule: string): Problem => new Problem(400, 'No such fault', rule);
  const mode = faultModes.find((known) => known === wish.mode);
  if (!mode) throw wrong(`mode must be one of ${faultModes.join(', ')}.`);
  const { retryAfterSeconds, slowMs, times, only } = { ...noFaults, ...wish };
  if (!isCount(retryAfterSeconds)) throw wrong('retryAfterSeconds must be a whole number, 0 or more.');
  if (!isCount(slowMs) || slowMs > 600_000) throw wrong('slowMs must be a whole number from 0 to 600000.');
  if (times !== null && !(isCount(times) && times > 0)) throw wrong('times must be null or a whole number, 1 or more.');
  if (only !== 'all' && only !== 'writes') throw wrong('only must be "all" or "writes".');
  return { mode, retryAfterSeconds, slowMs, times, only };
}

/** Which fault hits this request, and what is left for the next one. */
export function hit(faults: Faults, method: string): { readonly mode: FaultMode; readonly next: Faults } {
  const spared = faults.mode === 'ok' || (faults.only === 'writes' && (method === 'GET' || method === 'HEAD'));
  if (spared) return { mode: 'ok', next: faults };
  if (faults.times === null) return { mode: faults.mode, next: faults };
  const times = faults.times - 1;
  return { mode: faults.mode, next: times > 0 ? { ...faults, times } : noFaults };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
