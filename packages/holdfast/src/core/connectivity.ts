import { type Backoff, backoffMs } from './backoff';

/** Whether anything reaches a server, as attempts have shown. */
export interface Connectivity {
  readonly verdict: 'online' | 'offline' | 'unknown';
  /** Since when the verdict stands, epoch ms. */
  readonly since: number;
  /** Attempts in a row that reached nothing. */
  readonly failures: number;
  /** When a server last answered, epoch ms; 0 for never. */
  readonly reachedAt: number;
  /** While offline: when the next probe may go, epoch ms. */
  readonly probeAt: number;
  /** The last resume or online hint that was taken up, epoch ms; 0 for none. */
  readonly hintedAt: number;
}

export interface ConnectivityOptions {
  /** How long an answer vouches for the connection, in milliseconds. @default 30_000 */
  readonly freshMs: number;
  /** How long after a resume or online hint failures are not held against anybody, in milliseconds. @default 2_000 */
  readonly settleMs: number;
  /** Waits between probes while offline. @default { baseMs: 2_000, factor: 2, capMs: 60_000, jitter: 'equal' } */
  readonly probe: Backoff;
}

export const defaultConnectivity: ConnectivityOptions = {
  freshMs: 30_000,
  settleMs: 2_000,
  probe: { baseMs: 2_000, factor: 2, capMs: 60_000, jitter: 'equal' },
};

export const unknownConnectivity: Connectivity = {
  verdict: 'unknown',
  since: 0,
  failures: 0,
  reachedAt: 0,
  probeAt: 0,
  hintedAt: 0,
};

/** `reached`: a server answered, whatever it said. `captive`: something else did. `rejected`: fetch rejected. `timeout`: our own deadline. */
export type Reach = 'reached' | 'captive' | 'rejected' | 'timeout';

/**
 * The verdict after an attempt. Only attempts decide, never `navigator.onLine`, which is wrong in both directions.
 *
 * A failure while a server answered lately is that request's own trouble. Otherwise a rejection means offline; a single
 * timeout may be one slow server, so it only makes things unknown, and the second in a row means offline.
 *
 * @param dice a number in [0, 1)
 */
export function afterAttempt(
  state: Connectivity,
  reach: Reach,
  now: number,
  dice: number,
  options = defaultConnectivity,
): Connectivity {
  if (reach === 'reached') return { ...turned(state, 'online', now), failures: 0, reachedAt: now, probeAt: 0 };
  if (reach !== 'captive' && isVouchedFor(state, now, options)) return state;
  const settling = isSettling(state, now, options);
  const failures = settling ? state.failures : state.failures + 1;
  const waitMs = backoffMs(Math.max(1, failures), dice, options.probe);
  const probeAt = settling ? state.hintedAt + options.settleMs + Math.floor(dice * 1_000) : now + waitMs;
  const verdict = reach === 'timeout' && failures < 2 && state.verdict !== 'offline' ? 'unknown' : 'offline';
  return { ...turned(state, verdict, now), failures, probeAt };
}

/**
 * A hint from the platform. `online` (also a resume) lets one probe go at once; a second hint within the settle time is the
 * flapping of the first. `offline` forbids nothing, but the next rejection will be believed.
 */
export function afterHint(
  state: Connectivity,
  hint: 'online' | 'offline',
  now: number,
  options = defaultConnectivity,
): Connectivity {
  if (hint === 'offline') return { ...state, reachedAt: 0 };
  return isSettling(state, now, options) ? state : { ...state, hintedAt: now, probeAt: Math.min(state.probeAt, now) };
}

/** Whether this is the moment after a resume or online hint, when networks are often not up yet. */
export function isSettling(state: Connectivity, now: number, options = defaultConnectivity): boolean {
  return state.hintedAt !== 0 && now >= state.hintedAt && now - state.hintedAt < options.settleMs;
}

/**
 * How many requests may be under way in all: while offline one probe at its time, otherwise any number.
 * @param hinted something said that things may be better: the probe may go before its time
 * @returns with 0 the epoch ms at which to ask again
 */
export function mayReach(
  state: Connectivity,
  now: number,
  hinted = false,
  options = defaultConnectivity,
): { readonly allowed: number; readonly nextAt?: number } {
  if (state.verdict !== 'offline') return { allowed: Infinity };
  // Further away than the longest wait: the clock was turned back.
  const early = state.probeAt > now && state.probeAt - now <= options.probe.capMs + options.settleMs;
  return early && !hinted ? { allowed: 0, nextAt: state.probeAt } : { allowed: 1 };
}

function isVouchedFor({ verdict, reachedAt }: Connectivity, now: number, { freshMs }: ConnectivityOptions): boolean {
  return verdict === 'online' && reachedAt !== 0 && now >= reachedAt && now - reachedAt < freshMs;
}

function turned(state: Connectivity, verdict: Connectivity['verdict'], now: number): Connectivity {
  return verdict === state.verdict ? state : { ...state, verdict, since: now };
}
