import { OutboxError } from './errors';
import { type HeaderPairs, headerOf } from './header-pairs';
import { parseHttpDate } from './http-date';
import { parseRateLimit, rateLimitWaitMs } from './rate-limit';

export { parseHttpDate } from './http-date';

export interface RetryAfterOptions {
  /** Longest wait a server may ask for, in milliseconds; anything longer counts as this. @default 86_400_000 (a day) */
  readonly maxMs: number;
}

export const defaultRetryAfter: RetryAfterOptions = { maxMs: 86_400_000 };

/**
 * Reads a `Retry-After` field: digits only (seconds), or an HTTP-date in any of its three forms. All else is as good as
 * absent: "-5", "1.5", "120s", two joined lines.
 *
 * @param text  the field value
 * @param nowMs epoch ms; for a date form rather the server's clock than ours, see `askedWaitMs`
 * @returns     milliseconds to wait, finite, 0 for a past date; null when it is no valid value
 * @see RFC 9110 section 10.2.3
 */
export function parseRetryAfter(text: string, nowMs: number): number | null {
  const value = text.replace(/^[ \t]+|[ \t]+$/g, '');
  if (/^[0-9]+$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  const at = parseHttpDate(value, nowMs);
  return at === null ? null : Math.max(0, at - nowMs);
}

/**
 * What an answer's `Retry-After` asks for. A date is measured against the answer's own `Date`, so that a wrong clock on
 * this device neither shortens nor stretches the wait.
 *
 * @param nowMs epoch ms at which the answer came
 * @returns     milliseconds in [0, maxMs], or null when the answer asks for nothing
 * @throws OutboxError `bad-option` when `maxMs` is negative or not a number
 * @see RFC 9110 sections 6.6.1 and 10.2.3
 */
export function retryAfterMs(headers: HeaderPairs, nowMs: number, options = defaultRetryAfter): number | null {
  if (!(options.maxMs >= 0)) {
    throw new OutboxError('bad-option', `retryAfter.maxMs must be 0 or more milliseconds, got ${options.maxMs}`);
  }
  const value = headerOf(headers, 'retry-after');
  if (value === null) return null;
  const asked = parseRetryAfter(value, parseHttpDate(headerOf(headers, 'date') ?? '', nowMs) ?? nowMs);
  return asked === null ? null : Math.min(asked, options.maxMs);
}

/**
 * The wait an answer asks for by either field. `Retry-After` speaks of this very client, so it goes before `RateLimit`.
 * A `RateLimit` whose quota is used up asks for a wait on any answer, also on a successful one.
 *
 * @returns milliseconds in [0, maxMs], or null when it asks for nothing
 * @throws OutboxError `bad-option`
 */
export function askedWaitMs(headers: HeaderPairs, nowMs: number, options = defaultRetryAfter): number | null {
  const byRetryAfter = retryAfterMs(headers, nowMs, options);
  if (byRetryAfter !== null) return byRetryAfter;
  const byQuota = rateLimitWaitMs(parseRateLimit(headerOf(headers, 'ratelimit') ?? ''));
  return byQuota === null ? null : Math.min(byQuota, options.maxMs);
}
