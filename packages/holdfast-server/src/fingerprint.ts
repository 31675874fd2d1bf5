import { canonicalJson } from './canonical-json';
import { decoded } from './decode';
import { sha256 } from './digest';
import { boundaryOf, partsOf } from './multipart';

export interface FingerprintOptions {
  /** Whether two spellings of one JSON value are one payload (key order, white space, `1.0` for `1`). @default 'canonical' */
  readonly json?: 'canonical' | 'bytes';
  /**
   * Fields that may differ between two sendings, such as a CSRF token: names of form fields and of top-level JSON
   * members, or JSON pointers (`/meta/sentAt`). @default []
   */
  readonly ignore?: readonly string[];
  /** Most bytes to unpack when a body came compressed. @default 33_554_432 (32 MiB) */
  readonly maxDecodedBytes?: number;
}

export const defaultFingerprint: Required<FingerprintOptions> = {
  json: 'canonical',
  ignore: [],
  maxDecodedBytes: 33_554_432,
};

/** What is fingerprinted: the body, and the two headers that say how to read it. No other header counts. */
export interface Payload {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  readonly contentEncoding: string | null;
}

/**
 * What makes two requests under one key "the same payload". The first letter says how it was read, so that no JSON
 * text can pass for a multipart body.
 */
export function fingerprint(payload: Payload, options = defaultFingerprint): string | Promise<string> {
  const { contentEncoding } = payload;
  if (contentEncoding === null || contentEncoding === '' || contentEncoding === 'identity') {
    return ofPlain(payload.bytes, payload.contentType ?? '', options);
  }
  return ofPacked(payload, contentEncoding, options);
}

async function ofPacked(payload: Payload, coding: string, options: Required<FingerprintOptions>): Promise<string> {
  const plain = await decoded(payload.bytes, coding, options.maxDecodedBytes);
  return plain ? ofPlain(plain, payload.contentType ?? '', options) : marked('z', payload.bytes);
}

function ofPlain(
  bytes: Uint8Array,
  contentType: string,
  options: Required<FingerprintOptions>,
): string | Promise<string> {
  if (bytes.byteLength === 0) return 'b';
  const canonical = reading(bytes, contentType, options);
  return canonical === undefined ? marked('b', bytes) : canonical;
}

/** The payload by its meaning where its type has one we know, else `undefined`. */
function reading(
  bytes: Uint8Array,
  contentType: string,
  options: Required<FingerprintOptions>,
): string | Promise<string> | undefined {
  const essence = (contentType.split(';', 1)[0] as string).trim().toLowerCase();
  if (essence === 'application/json' || essence.endsWith('+json')) {
    if (options.json === 'bytes' && options.ignore.length === 0) return undefined;
    const text = utf8(bytes);
    const canonical = text === undefined ? undefined : canonicalJson(text, options.ignore);
    return canonical === undefined ? undefined : marked('j', canonical);
  }
  if (essence === 'application/x-www-form-urlencoded' && options.ignore.length > 0) {
    const pairs = [...new URLSearchParams(utf8(bytes) ?? '')].filter(([name]) => !options.ignore.includes(name));
    return marked('f', JSON.stringify(pairs));
  }
  const boundary = boundaryOf(contentType);
  return boundary === undefined ? undefined : ofParts(bytes, boundary, options.ignore);
}

function ofParts(bytes: Uint8Array, boundary: string, ignore: readonly string[]): Promise<string> | undefined {
  const parts = partsOf(bytes, boundary)?.filter((part) => !ignore.includes(part.name));
  if (!parts) return undefined;
  const each = parts.map(async (part) => [part.head, await sha256(part.content)]);
  return Promise.all(each).then((list) => marked('m', JSON.stringify(list)));
}

function marked(mark: string, data: string | Uint8Array): string | Promise<string> {
  const digest = sha256(data);
  return typeof digest === 'string' ? mark + digest : digest.then((text) => mark + text);
}

/** One for all: each decoder has memory outside of the heap, and dozens a millisecond keep the collector busy. */
const strict = new TextDecoder('utf-8', { fatal: true });

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
