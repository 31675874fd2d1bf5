import { type Backoff, backoffMs, checkBackoff, defaultBackoff, type Jitter } from './backoff';
import { OutboxError } from './errors';
import { inWords } from './words-for-time';

/** What a retry policy has to achieve. */
export interface RetryGoal {
  /** The longest outage it must survive, in milliseconds. */
  readonly coverMs: number;
  /** The longest acceptable wait between two attempts, in milliseconds: so late may a request be after the outage ended. */
  readonly maxDelayMs: number;
  /** How waits are spread. @default 'equal' */
  readonly jitter?: Jitter;
}

/** A backoff and how often an entry is sent again with it. */
export interface RetryPlan {
  readonly backoff: Backoff;
  /** Attempts after the first; put it into `budgets` for the classes it is meant for. */
  readonly retries: number;
}

/** What a plan covers, counted from the first failure to the last attempt, the attempts themselves taking no time. */
export interface Coverage {
  /** All attempts, the first included. */
  readonly attempts: number;
  /** An outage up to this many milliseconds is survived whatever the dice say. */
  readonly minMs: number;
  /** The mean; for `decorrelated` jitter a good approximation of it. */
  readonly expectedMs: number;
  /** No outage longer than this is survived. */
  readonly maxMs: number;
  /** The longest wait between two attempts. */
  readonly longestWaitMs: number;
  /** The same in one sentence. */
  readonly sentence: string;
}

/** More retries than this are no plan. */
const MOST_RETRIES = 10_000;

/**
 * Turns "which outage must it survive, which delay is acceptable" into a policy. The outage is covered by the shortest
 * waits the dice can give; where these have no useful lower bound (`full`, `decorrelated`) by the expected ones.
 *
 * @throws OutboxError `bad-option` when a goal is out of range, or needs more than 10,000 retries
 */
export function planRetries({ coverMs, maxDelayMs, jitter = defaultBackoff.jitter }: RetryGoal): RetryPlan {
  if (!(Number.isFinite(coverMs) && coverMs >= 0)) {
    throw new OutboxError('bad-option', `coverMs must be 0 or more milliseconds, got ${coverMs}`);
  }
  const capMs = Math.floor(withinJitter(maxDelayMs, jitter));
  if (!(Number.isFinite(capMs) && capMs >= 1)) {
    throw new OutboxError('bad-option', `maxDelayMs must leave 1 or more milliseconds to wait, got ${maxDelayMs}`);
  }
  const backoff = { ...defaultBackoff, baseMs: Math.min(defaultBackoff.baseMs, capMs), capMs, jitter };
  checkBackoff(backoff);
  const waits = jitter === 'full' || jitter === 'decorrelated' ? expectedWaits(backoff) : boundingWaits(0, backoff);
  let [retries, coveredMs] = [0, 0];
  while (coveredMs < coverMs) {
    retries += 1;
    if (retries > MOST_RETRIES) {
      throw new OutboxError(
        'bad-option',
        `covering ${inWords(coverMs)} with waits of at most ${inWords(maxDelayMs)} takes more than ${MOST_RETRIES} retries; allow longer waits`,
      );
    }
    coveredMs += waits(retries);
  }
  return { backoff, retries };
}

/** The reverse: what a policy covers, in numbers and in one sentence. @throws OutboxError `bad-option` */
export function coverage({ backoff, retries }: RetryPlan): Coverage {
  if (!(Number.isInteger(retries) && retries >= 0 && retries <= MOST_RETRIES)) {
    throw new OutboxError('bad-option', `retries must be a whole number from 0 to ${MOST_RETRIES}, got ${retries}`);
  }
  const all = (waits: Waits): number[] => Array.from({ length: retries }, (_, index) => waits(index + 1));
  const longest = all(boundingWaits(1, backoff));
  const figures = {
    attempts: retries + 1,
    minMs: sum(all(boundingWaits(0, backoff))),
    expectedMs: Math.round(sum(all(expectedWaits(backoff)))),
    maxMs: sum(longest),
    longestWaitMs: Math.max(0, ...longest),
  };
  return { ...figures, sentence: sentenceOf(figures) };
}

function sentenceOf({ attempts, minMs, expectedMs, maxMs, longestWaitMs }: Omit<Coverage, 'sentence'>): string {
  if (attempts === 1) return 'One attempt and no other: no outage is survived.';
  const over = `${attempts} attempts over about ${inWords(expectedMs)}`;
  const sure = minMs === 0 ? 'no outage is surely survived' : `an outage of up to ${inWords(minMs)} is surely survived`;
  const late = `the next attempt is never more than ${inWords(longestWaitMs)} away`;
  return `${over}: ${sure}, none of more than ${inWords(maxMs)}, and ${late}.`;
}

/** Gives the wait after the nth failure; asked in order, from 1. */
type Waits = (failures: number) => number;

/** The waits of one run with the same dice throughout: 0 for the shortest, 1 for the bound that real dice stay below. */
function boundingWaits(dice: number, backoff: Backoff): Waits {
  let lastMs = backoff.baseMs;
  return (failures) => (lastMs = backoffMs(failures, dice, backoff, lastMs));
}

/**
 * The mean waits. All jitter but `decorrelated` is even about its middle; that one depends on the wait before, so a few
 * dozen evenly weighted waits stand for its spread and each is carried on by a few evenly spaced dice.
 */
function expectedWaits(backoff: Backoff): Waits {
  if (backoff.jitter !== 'decorrelated') return boundingWaits(0.5, backoff);
  const rolls = Array.from({ length: 8 }, (_, index) => (index + 0.5) / 8);
  let spread = Array.from({ length: 48 }, () => backoff.baseMs);
  return (failures) => {
    const next = spread.flatMap((lastMs) => rolls.map((roll) => backoffMs(failures, roll, backoff, lastMs)));
    next.sort((one, other) => one - other);
    spread = spread.map((_, index) => mean(next.slice(index * rolls.length, (index + 1) * rolls.length)));
    return mean(spread);
  };
}

function mean(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The cap that keeps even the longest spread wait within a limit. */
function withinJitter(maxDelayMs: number, jitter: Jitter): number {
  if (typeof jitter === 'string') return maxDelayMs;
  return 'ratio' in jitter ? maxDelayMs / (1 + jitter.ratio) : maxDelayMs - jitter.addMs;
}
