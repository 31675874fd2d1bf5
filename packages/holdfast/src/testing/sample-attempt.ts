import { defaultBackoff } from '../core/backoff';
import { defaultBudgets } from '../core/budget';
import { type AttemptFacts, classify, type ClassifyOptions, defaultClassify, type Verdict } from '../core/classify';
import type { Entry } from '../core/entry';
import { advance } from '../core/lifecycle';
import type { RetryPolicy } from '../core/options';
import { type AttemptRecord, settlement } from '../core/settlement';

/** A POST that was answered with 201. */
export const sampleAttempt: AttemptFacts = {
  kind: 'answer',
  status: 201,
  type: 'cors',
  url: 'https://api.example/orders',
  redirected: false,
  requestMethod: 'POST',
  requestUrl: 'https://api.example/orders',
  requestAccept: 'application/json',
  contentType: 'application/json',
  outcomeBefore: 'never-sent',
  connectivity: 'online',
};

/** The verdict on the sample attempt with some facts changed. */
export function judged(facts: Partial<AttemptFacts>, options: Partial<ClassifyOptions> = {}): Verdict {
  return classify({ ...sampleAttempt, ...facts }, { ...defaultClassify, ...options });
}

export function sampleRecord(status: number, changes: Partial<AttemptRecord> = {}): AttemptRecord {
  return { status, message: `answered ${status}`, tookMs: 40, askedMs: null, ...changes };
}

/** The default policy without jitter, so that waits can be told exactly. */
export const steadyPolicy: RetryPolicy = { backoff: { ...defaultBackoff, jitter: 'none' }, budgets: defaultBudgets };

/** An entry that is being sent, after this attempt, as the flow would write it. */
export function settledAfter(
  entry: Entry,
  verdict: Verdict,
  record: AttemptRecord,
  now: number,
  dice = 0,
  policy = steadyPolicy,
): Entry {
  const { move, patch } = settlement(entry, verdict, record, policy, now, dice);
  return { ...entry, ...patch, state: advance(entry.state, move) };
}
