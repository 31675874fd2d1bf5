import type { Answer } from './answer';
import { plainAnswer } from './answer';

/** Every refusal of ours. The names are part of the wire (`docs/wire.md`) and never change their meaning. */
export type ProblemCode =
  | 'key-missing'
  | 'key-malformed'
  | 'key-reused'
  | 'in-progress'
  | 'outcome-unknown'
  | 'key-expired'
  | 'body-too-large'
  | 'failed-after-commit'
  | 'store-unavailable'
  | 'not-attempted'
  | 'batch-malformed';

/** The `type` of a problem is this, followed by its code. */
export const problemTypePrefix = 'urn:holdfast:idempotency:';

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
