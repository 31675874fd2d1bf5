import { mayGo } from '../core/breaker';
import { mayReach } from '../core/connectivity';
import type { Gates } from '../core/control';

/** How many may be under way to an origin: whether anything reaches any server, its breaker, and its pause. */
export function allowance(
  gates: Gates,
  origin: string,
  now: number,
  hinted: boolean,
  cap: number,
): { allowed: number; nextAt?: number } {
  const reach = mayReach(gates.connectivity, now, hinted);
  const go = mayGo(gates.origins[origin], now, { cap, hinted });
  const nextAt = Math.max(reach.nextAt ?? 0, go.nextAt ?? 0);
  return { allowed: Math.min(reach.allowed, go.allowed), ...(nextAt > 0 && { nextAt }) };
}
