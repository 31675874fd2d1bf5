import { defaultBackoff, type Jitter } from '../../core/backoff';
import { type BreakerOptions, defaultBreaker } from '../../core/breaker';
import { type Budgets, defaultBudgets } from '../../core/budget';
import { type ConnectivityOptions, defaultConnectivity } from '../../core/connectivity';
import type { RetryPolicy } from '../../core/options';

/** How a simulated client behaves. */
export interface SimulatedPolicy {
  readonly name: string;
  readonly retry: RetryPolicy;
  /** Whether it leaves a failing origin alone; null for a client without a breaker. */
  readonly breaker: BreakerOptions | null;
  /** Whether it knows being offline from a failing server; null for a client that takes both for the same. */
  readonly connectivity: ConnectivityOptions | null;
  readonly obeysRetryAfter: boolean;
}

/** Nothing is given up, so that no policy looks gentle because it stopped trying. */
export const unlimited: Budgets = {
  network: Infinity,
  timeout: Infinity,
  server: Infinity,
  overload: Infinity,
  'in-progress': Infinity,
};

/** No policy: a loop around `fetch` that takes a breath. */
export const impatient: SimulatedPolicy = plain('every second', 1_000);

/** What hand-written code mostly does. */
export const fixed: SimulatedPolicy = plain('every 5 s', 5_000);

/** All kinds of jitter that are compared; `none` is the yardstick. */
export const jitters: readonly Jitter[] = ['none', 'full', 'equal', 'decorrelated', { ratio: 0.2 }, { addMs: 500 }];

/** Doubling waits with this jitter and nothing else. */
export function exponential(jitter: Jitter, budgets: Budgets = unlimited): SimulatedPolicy {
  return {
    ...plain(`exponential, ${jitterName(jitter)}`, 1),
    retry: { backoff: { ...defaultBackoff, jitter }, budgets },
  };
}

/**
 * What this outbox does, with this jitter in the waits of requests: doubling waits, a breaker, a verdict on connectivity,
 * `Retry-After`. The probes of breaker and verdict keep their own.
 */
export function outbox(jitter: Jitter = defaultBackoff.jitter, budgets: Budgets = unlimited): SimulatedPolicy {
  return {
    name: `outbox, ${jitterName(jitter)}`,
    retry: { backoff: { ...defaultBackoff, jitter }, budgets },
    breaker: defaultBreaker,
    connectivity: defaultConnectivity,
    obeysRetryAfter: true,
  };
}

/** This outbox as it is when nothing is configured. */
export const outOfTheBox: SimulatedPolicy = { ...outbox(undefined, defaultBudgets), name: 'outbox, as it comes' };

export function jitterName(jitter: Jitter): string {
  if (typeof jitter === 'string') return jitter === 'none' ? 'no jitter' : jitter;
  return 'ratio' in jitter ? `±${Math.round(jitter.ratio * 100)} %` : `+${jitter.addMs} ms`;
}

function plain(name: string, everyMs: number): SimulatedPolicy {
  return {
    name,
    retry: { backoff: { baseMs: everyMs, factor: 1, capMs: everyMs, jitter: 'none' }, budgets: unlimited },
    breaker: null,
    connectivity: null,
    obeysRetryAfter: false,
  };
}
