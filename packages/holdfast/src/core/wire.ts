import { OutboxError } from './errors';
import type { KeyOptions } from './options';

/** Answers of ours to the page carry this header; its value is the entry's id. */
export const markerHeader = 'Holdfast-Entry';

/** Age of the intent in milliseconds, opt-in. An age and no date: the device's clock may be wrong. */
export const ageHeader = 'Holdfast-Age';

/** The server's mark on an answer it had given before (`docs/wire.md`). */
export const replayedHeader = 'idempotency-replayed';

/**
 * The key as a header's value: a structured-field string (RFC 9651 section 3.3.3), or bare by option.
 * @throws OutboxError `bad-option` when a key has other than printable ASCII
 */
export function keyValue(key: string, { quoted }: Pick<KeyOptions, 'quoted'>): string {
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw new OutboxError(
      'bad-option',
      `an idempotency key must be 1 to 255 printable ASCII characters, got ${JSON.stringify(key)}`,
    );
  }
  return quoted ? `"${key.replace(/["\\]/g, '\\$&')}"` : key;
}

/** The key in a header the app set itself: `"k"` and `k` are one key. */
export function keyOfValue(value: string): string {
  const text = value.trim();
  return /^"(?:[^"\\]|\\["\\])*"$/.test(text) ? text.slice(1, -1).replace(/\\(["\\])/g, '$1') : text;
}

/**
 * A page's outbox speaks to a worker in the fragment of a URL: all three engines show it to the worker and none sends it on,
 * so that it stays in the browser whoever the worker is, works across origins and without CORS, and costs no preflight.
 */
export const passMark = '#holdfast-pass';
const callMark = '#holdfast-call=';

/** The URL of a request that this page's outbox sends itself: a worker of ours leaves it alone. */
export function marked(url: string): string {
  return `${url.replace(/#.*$/s, '')}${passMark}`;
}

/** The URL that carries per-call options to the page's own worker. */
export function withCall(url: string, call: object): string {
  return `${url.replace(/#.*$/s, '')}${callMark}${encodeURIComponent(JSON.stringify(call))}`;
}

/** The options a URL carries. Junk is none: anybody on the origin can write there. */
export function callOf(url: string): object {
  const at = url.indexOf(callMark);
  if (at < 0) return {};
  try {
    const parsed: unknown = JSON.parse(decodeURIComponent(url.slice(at + callMark.length)));
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
