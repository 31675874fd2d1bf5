/** A body within a batch: text, sent as UTF-8, or any bytes. */
export type BatchBody = { readonly text: string } | { readonly base64: string };

export interface BatchRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: BatchBody | undefined;
  readonly lane: string | undefined;
}

export interface Batch {
  readonly stop: 'retryable' | 'failure' | 'never';
  readonly requests: readonly BatchRequest[];
}

export interface BatchAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: BatchBody | null;
}

/** What a body of a batch must be; the text says where it is not. */
export type ReadBatch = { readonly batch: Batch } | { readonly wrong: string };

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Reads a batch as `docs/wire.md` has it. Members nobody knows are left alone: newer clients may send more. */
export function readBatch(text: string, maxRequests: number): ReadBatch {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { wrong: 'the body is not JSON' };
  }
  if (!isObject(value) || !Array.isArray(value['requests'])) return { wrong: '"requests" must be a list' };
  const { stop = 'retryable', requests } = value as { stop?: unknown; requests: unknown[] };
  if (stop !== 'retryable' && stop !== 'failure' && stop !== 'never') {
    return { wrong: '"stop" must be "retryable", "failure" or "never"' };
  }
  if (requests.length === 0) return { wrong: 'the batch is empty' };
  if (requests.length > maxRequests) return { wrong: `a batch may have at most ${maxRequests} requests` };
  const read: BatchRequest[] = [];
  for (const [index, one] of requests.entries()) {
    const request = readRequest(one);
    if (typeof request === 'string') return { wrong: `requests[${index}]: ${request}` };
    read.push(request);
  }
  return { batch: { stop, requests: read } };
}

function readRequest(value: unknown): BatchRequest | string {
  if (!isObject(value)) return 'must be an object';
  const { method, target, headers = [], body, lane } = value;
  if (typeof method !== 'string' || !methods.includes(method)) return `"method" must be one of ${methods.join(', ')}`;
  if (typeof target !== 'string' || !isTarget(target)) return '"target" must be a path on this origin';
  if (!Array.isArray(headers) || !headers.every(isPair)) return '"headers" must be a list of name and value pairs';
  if (lane !== undefined && lane !== null && typeof lane !== 'string') return '"lane" must be a string';
  if (body !== undefined && body !== null && !isBody(body)) return '"body" must be { "text": … } or { "base64": … }';
  return { method, target, headers, body: body ?? undefined, lane: lane ?? undefined };
}

/** `//other.test/` and `/\other.test/` name another host. */
function isTarget(target: string): boolean {
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(target) && !target.includes('#');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 9110 sections 5.1 and 5.5; anything else makes `Headers` throw. */
const fieldName = /^[!#$%&'*+\-.^_`|~\w]+$/;
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

function isPair(value: unknown): value is [string, string] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [name, text] = value as unknown[];
  return typeof name === 'string' && fieldName.test(name) && typeof text === 'string' && fieldValue.test(text);
}

function isBody(value: unknown): value is BatchBody {
  if (!isObject(value)) return false;
  const { text, base64 } = value;
  return (
    typeof text === 'string' ||
    (typeof base64 === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(base64) && base64.length % 4 === 0)
  );
}

/** A body's bytes. */
export function bytesOf(body: BatchBody): Uint8Array {
  if ('text' in body) return new TextEncoder().encode(body.text);
  return Uint8Array.from(atob(body.base64), (letter) => letter.charCodeAt(0));
}

/** Bytes as the batch carries them: as text where that loses nothing. */
export function bodyOf(bytes: Uint8Array): BatchBody | null {
  if (bytes.byteLength === 0) return null;
  try {
    // A leading byte order mark would be dropped.
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    let letters = '';
    for (let at = 0; at < bytes.length; at += 8_192) letters += String.fromCharCode(...bytes.subarray(at, at + 8_192));
    return { base64: btoa(letters) };
  }
}
