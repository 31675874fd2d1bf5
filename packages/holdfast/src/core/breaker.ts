import type { AnswerClass } from './answer-class';
import { type Backoff, backoffMs } from './backoff';
import type { Verdict } from './classify';
import { isTurnedBack } from './clock';
import type { OriginGate } from './control';

export interface BreakerOptions {
  /** Failures in a row after which an origin is left alone. @default 5 */
  readonly failuresToOpen: number;
  /** How long it is left alone before each probe. @default { baseMs: 10_000, factor: 2, capMs: 300_000, jitter: 'equal' } */
  readonly probeAfter: Backoff;
  /** Rejections in a row, while others get through, that look like CORS or a blocker. @default 3 */
  readonly suspectAfter: number;
  /** Requests at the same time when all is well. @default 3 */
  readonly cap: number;
}

export const defaultBreaker: BreakerOptions = {
  failuresToOpen: 5,
  probeAfter: { baseMs: 10_000, factor: 2, capMs: 300_000, jitter: 'equal' },
  suspectAfter: 3,
  cap: 3,
};

/** An origin nothing is known about. */
export const soundGate: OriginGate = {
  phase: 'closed',
  failures: 0,
  probeAt: 0,
  ramp: 0,
  pausedUntil: 0,
  rejections: 0,
  answeredAt: 0,
};

/** Classes that no server gave. */
const unanswered: readonly AnswerClass[] = ['offline', 'captive', 'network', 'timeout'];

/** Classes that speak against the origin. */
const against: readonly AnswerClass[] = ['network', 'timeout', 'server', 'overload'];

/**
 * An origin's gate after an attempt. Enough failures in a row open it; then one probe at a time may go, ever more rarely;
 * its success lets two at a time through, then four, up to the cap. 429 and 503 open it at once, for as long as the answer asks.
 *
 * @param askedMs what the answer asks to wait (`askedWaitMs`), or null
 * @param dice    a number in [0, 1)
 */
export function afterOutcome(
  gate: OriginGate | undefined,
  verdict: Verdict,
  askedMs: number | null,
  now: number,
  dice: number,
  options: BreakerOptions = defaultBreaker,
): OriginGate {
  const before = believed(gate, now);
  const told = hearing(before, verdict, now);
  if (!against.includes(verdict.class)) {
    return unanswered.includes(verdict.class) ? told : recovering(told, options.cap);
  }
  // Broken off by us, or in the moment after a resume: no fault of the origin's.
  if (!verdict.counted && !verdict.pausesOrigin) return told;
  const failures = before.failures + 1;
  const opens = failures >= options.failuresToOpen || before.ramp > 0 || verdict.pausesOrigin;
  if (before.phase === 'closed' && !opens) return { ...told, failures };
  // Stragglers from before it opened do not put the probe off.
  if (before.phase !== 'closed' && now < before.probeAt && !verdict.pausesOrigin) return { ...told, failures };

  const delayMs = backoffMs(Math.max(1, failures - options.failuresToOpen + 1), dice, options.probeAfter);
  const waitMs = verdict.pausesOrigin && askedMs ? spreadMs(askedMs, dice, options) : delayMs;
  const probeAt = Math.max(now + waitMs, before.probeAt);
  const pausedUntil = verdict.pausesOrigin ? Math.max(before.pausedUntil, now + waitMs) : before.pausedUntil;
  return { ...told, phase: 'open', failures, ramp: 0, probeAt, pausedUntil, setAt: now };
}

/** The gate after an answer of any kind said that a quota is used up (`rateLimitWaitMs`); 0 for one that did not. */
export function pausedFor(gate: OriginGate | undefined, waitMs: number, now: number): OriginGate {
  const before = believed(gate, now);
  return waitMs > 0 ? { ...before, pausedUntil: Math.max(before.pausedUntil, now + waitMs), setAt: now } : before;
}

/** What the server asked for, and some more, for it told the same to everybody else. */
function spreadMs(askedMs: number, dice: number, { probeAfter }: BreakerOptions): number {
  return askedMs + Math.floor(dice * Math.min(probeAfter.capMs, askedMs / 5));
}

/** What is written down of any attempt. */
function hearing(gate: OriginGate, { class: kind }: Verdict, now: number): OriginGate {
  if (kind === 'network') return { ...gate, rejections: gate.rejections + 1 };
  return unanswered.includes(kind) ? gate : { ...gate, rejections: 0, answeredAt: now };
}

/** One step up: from the probe to two at a time, from there to twice as many, and to no limit at the cap. */
function recovering(gate: OriginGate, cap: number): OriginGate {
  const ramp = gate.phase === 'closed' ? gate.ramp * 2 : 2;
  return { ...gate, phase: 'closed', failures: 0, probeAt: 0, ramp: ramp >= cap ? 0 : ramp };
}

export interface GoOptions {
  /** Requests at the same time when all is well. @default 3 */
  readonly cap: number;
  /** Something said that things may be better (online, resume, a person): one probe may go before its time. @default false */
  readonly hinted: boolean;
}

export const defaultGo: GoOptions = { cap: 3, hinted: false };

/** The longest a gate can be shut, in milliseconds; more is a clock that was turned back. */
const LONGEST_SHUT = 86_400_000 + 300_000;

/** A gate whose waits can be right: those set at a moment that has not come yet are of a clock that was turned back. */
function believed(gate: OriginGate | undefined, now: number): OriginGate {
  if (!gate) return soundGate;
  const turnedBack = isTurnedBack(gate.setAt ?? now, now);
  const sane = (until: number): number => (turnedBack || until - now > LONGEST_SHUT ? 0 : until);
  const { pausedUntil, probeAt } = gate;
  if (sane(pausedUntil) === pausedUntil && sane(probeAt) === probeAt) return gate;
  return { ...gate, pausedUntil: sane(pausedUntil), probeAt: sane(probeAt) };
}

/** Until when the server wants quiet, epoch ms; 0 when it does not. */
export function quietUntil(gate: OriginGate | undefined, now: number): number {
  const { pausedUntil } = believed(gate, now);
  return pausedUntil > now ? pausedUntil : 0;
}

/**
 * How many requests may be under way to an origin now. A hint brings a probe forward, but never past what the server asked for.
 * @returns 0 to the cap; with 0 the epoch ms at which to ask again
 */
export function mayGo(
  gate: OriginGate | undefined,
  now: number,
  options: Partial<GoOptions> = {},
): { readonly allowed: number; readonly nextAt?: number } {
  const { cap, hinted } = { ...defaultGo, ...options };
  if (!gate) return { allowed: cap };
  const { pausedUntil, phase, probeAt, ramp } = believed(gate, now);
  if (pausedUntil > now) return { allowed: 0, nextAt: pausedUntil };
  if (phase === 'closed') return { allowed: ramp === 0 ? cap : Math.min(ramp, cap) };
  return phase === 'open' && probeAt > now && !hinted ? { allowed: 0, nextAt: probeAt } : { allowed: 1 };
}

/** Origins that only ever reject while others answer: wrong CORS settings look like that, and so do blockers. */
export function suspects(origins: Readonly<Record<string, OriginGate>>, options = defaultBreaker): string[] {
  return Object.entries(origins)
    .filter(([, gate]) => gate.rejections >= options.suspectAfter && gate.answeredAt === 0)
    .map(([origin]) => origin);
}
