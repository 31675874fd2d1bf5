import type { Answer } from './answer';
import { plainAnswer } from './answer';
import { problemTypePrefix } from './problem-type';
import type { ProblemCode } from './problem-type';

const problems: Record<ProblemCode, readonly [status: number, title: string]> = {
  'key-missing': [400, 'Idempotency-Key is missing'],
  'key-malformed': [400, 'Idempotency-Key is malformed'],
  'key-reused': [422, 'Idempotency-Key is already used for another payload'],
  'in-progress': [409, 'A request with this Idempotency-Key is still in progress'],
  'outcome-unknown': [409, 'The outcome of an earlier request with this Idempotency-Key is unknown'],
  'key-expired': [409, 'The answer kept under this Idempotency-Key has expired'],
  'body-too-large': [413, 'The body is larger than this server fingerprints'],
  'failed-after-commit': [500, 'The request took effect, but its answer could not be made'],
  'store-unavailable': [503, 'The idempotency store cannot be reached'],
  'not-attempted': [424, 'The request was not attempted'],
  'batch-malformed': [400, 'The batch is malformed'],
};

/**
 * A refusal as `application/problem+json` (RFC 9457).
 *
 * @param detail       what happened here and what to do about it
 * @param describedBy  address of the page that explains keys; sent as `Link: rel="describedby"`
 * @param retryAfterMs when to try again; sent as `Retry-After` in whole seconds, rounded up, at least 1
 */
export function problemAnswer(
  code: ProblemCode,
  detail: string,
  extra: { describedBy?: string | undefined; retryAfterMs?: number | undefined } = {},
): Answer {
  const [status, title] = problems[code];
  const headers: [string, string][] = [
    ['content-type', 'application/problem+json'],
    ['cache-control', 'no-store'],
  ];
  if (extra.describedBy !== undefined) headers.push(['link', `<${extra.describedBy}>; rel="describedby"`]);
  if (extra.retryAfterMs !== undefined) {
    headers.push(['retry-after', String(Math.max(1, Math.ceil(extra.retryAfterMs / 1_000)))]);
  }
  const body = JSON.stringify({ type: problemTypePrefix + code, title, status, detail, code });
  return plainAnswer(status, headers, body);
}

/** What to do about each, where nothing more is known. */
export const advice: Record<ProblemCode, string> = {
  'key-missing': 'Send a key of your own making in the field this API names.',
  'key-malformed': 'Send one quoted string.',
  'key-reused': 'Use a new key for a new payload, or send the first payload again unchanged.',
  'in-progress': 'Send the same request again a little later; its answer is on the way.',
  'outcome-unknown':
    'An earlier request was taken on and never answered; it may have taken effect. Find out, then use a new key if it has not.',
  'key-expired':
    'This key was used long ago and its answer is no longer kept. Find out what became of it, then use a new key.',
  'body-too-large': 'Send less, or send it without a key.',
  'failed-after-commit':
    'The work was done and will not be done again. Ask for its result; do not send it under a new key.',
  'store-unavailable': 'Nothing was done. Send the same request again later.',
  'not-attempted': 'Nothing was done. Send it again.',
  'batch-malformed': 'Nothing was done. Send a batch as it is described.',
};
