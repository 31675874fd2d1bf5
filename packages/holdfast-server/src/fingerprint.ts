import { canonicalJson } from './canonical-json';
import { sha256 } from './digest';

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
 * text can pass for a multipart body. What only some requests need is loaded when the first of them comes.
 */
export function fingerprint(payload: Payload, options = defaultFingerprint): string | Promise<string> {
  const { contentEncoding } = payload;
  if (contentEncoding === null || contentEncoding === '' || contentEncoding === 'identity') {
    return ofPlain(payload.bytes, payload.contentType ?? '', options);
  }
  return ofPacked(payload, contentEncoding, options);
}

async function ofPacked(payload: Payload, coding: string, options: Required<FingerprintOptions>): Promise<string> {
  const { decoded } = await import('./decode');
  const plain = await decoded(payload.bytes, coding, options.maxDecodedBytes);
  return plain ? ofPlain(plain, payload.contentType ?? '', options) : marked('z', payload.bytes);
}

/** The payload by its meaning where its type has one we know, else by its bytes. */
function ofPlain(
  bytes: Uint8Array,
  contentType: string,
  options: Required<FingerprintOptions>,
): string | Promise<string> {
  if (bytes.byteLength === 0) return 'b';
  const ignores = options.ignore.length > 0;
  if (/^\s*(?:application\/json|[^;]*\+json)\s*(?:;|$)/i.test(contentType)) {
    if (ignores) return ofMembers(bytes, options.ignore);
    if (options.json === 'bytes') return marked('b', bytes);
    return ofJson(bytes);
  }
  const isForm = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType);
  if ((isForm && ignores) || /^\s*multipart\//i.test(contentType)) return ofForm(bytes, contentType, options.ignore);
  return marked('b', bytes);
}

function ofJson(bytes: Uint8Array, prepare?: (value: unknown) => unknown): string | Promise<string> {
  const text = utf8(bytes);
  const canonical = text === undefined ? undefined : canonicalJson(text, prepare);
  return canonical === undefined ? marked('b', bytes) : marked('j', canonical);
}

async function ofMembers(bytes: Uint8Array, ignore: readonly string[]): Promise<string> {
  const { withoutMembers } = await import('./ignored-members');
  return ofJson(bytes, (value) => withoutMembers(value, ignore));
}

async function ofForm(bytes: Uint8Array, contentType: string, ignore: readonly string[]): Promise<string> {
  const { formText } = await import('./form-payload');
  const text = await formText(bytes, contentType, ignore);
  return text === undefined ? marked('b', bytes) : marked('f', text);
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
