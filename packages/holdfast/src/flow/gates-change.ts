import { soundGate } from '../core/breaker';
import type { Gates } from '../core/control';

/** The gates before, to the gates after. */
export type GatesChange = (gates: Gates) => Gates;

/** How old "a server answered at" may be in the store before it is worth a write, ms. */
const stampEveryMs = 10_000;

/**
 * The gates to keep: those from before, the same object, when all that changed is a moment that is recent enough as it
 * stands. A healthy drain writes no gates at all.
 */
export function settled(before: Gates, after: Gates, origin: string): Gates {
  const [old, fresh] = [before.origins[origin] ?? soundGate, after.origins[origin] ?? soundGate];
  const alike =
    // Who has to sign in is no moment: without it the queue would knock on with credentials known to be bad.
    before.signIn === after.signIn &&
    isAlike(old, { ...fresh, answeredAt: old.answeredAt }) &&
    recent(old.answeredAt, fresh.answeredAt) &&
    isAlike(before.connectivity, { ...after.connectivity, reachedAt: before.connectivity.reachedAt }) &&
    recent(before.connectivity.reachedAt, after.connectivity.reachedAt) &&
    before.clock.doubtUntil === after.clock.doubtUntil &&
    before.clock.offsetMs === after.clock.offsetMs;
  return alike ? before : after;
}

function recent(before: number, after: number): boolean {
  return after === before || (before !== 0 && after - before < stampEveryMs && after >= before);
}

function isAlike<T extends object>(one: T, other: T): boolean {
  return (Object.keys(one) as (keyof T)[]).every((name) => one[name] === other[name]);
}
