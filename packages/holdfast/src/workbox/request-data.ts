import type { MapLikeObject } from 'workbox-core/types.js';
import type { RequestParts } from '../core/entry';
import { OutboxError } from '../core/errors';
import { partsOf, type Captured } from '../flow/capture';
import type { Body } from '../ports';

/** A request as Workbox stores it. */
export interface RequestData extends MapLikeObject {
  url: string;
  headers: MapLikeObject;
  body?: ArrayBuffer;
}

const properties = [
  'method',
  'referrer',
  'referrerPolicy',
  'mode',
  'credentials',
  'cache',
  'redirect',
  'integrity',
  'keepalive',
] as const;

/** Methods whose requests have no body; Workbox stored an empty one with HEAD, and could not send it any more. */
export function isBodiless(method: unknown): boolean {
  return typeof method !== 'string' || /^(get|head)$/i.test(method);
}

/** Takes a request apart. The request itself is not used up. */
export async function requestDataOf(request: Request): Promise<RequestData> {
  const data: RequestData = { url: request.url, headers: {} };
  if (!isBodiless(request.method)) data.body = await request.clone().arrayBuffer();
  request.headers.forEach((value, name) => (data.headers[name] = value));
  for (const name of properties) if (request[name] !== undefined) data[name] = request[name];
  return data;
}

/** @throws TypeError when the data are no request */
export function requestFrom(data: RequestData): Request {
  const { body, ...rest } = data;
  // A navigation cannot be made by a script.
  const mode = data['mode'] === 'navigate' ? 'same-origin' : (data['mode'] as RequestMode | undefined);
  const init: RequestInit = { ...rest, ...(mode && { mode }) };
  return new Request(data.url, isBodiless(data['method']) ? init : { ...init, body: body ?? null });
}

/**
 * What the outbox stores of such data. The platform's own `Request` is the judge of what is one.
 * @throws OutboxError `unreadable` saying what is wrong with it
 */
export function capturedFrom(data: RequestData): Captured {
  try {
    const { body, ...bare } = data;
    const request = requestFrom(bare);
    const type = request.headers.get('content-type') ?? '';
    const bytes = body instanceof ArrayBuffer && !isBodiless(request.method) ? new Uint8Array(body.slice(0)) : null;
    return { request: partsOf(request), type, body: bytes?.byteLength === 0 && type === '' ? null : bytes };
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new OutboxError('unreadable', `these data are no request: ${detail}`, { cause });
  }
}

/** An entry's request in Workbox's shape. @param body complete, or null */
export async function requestDataFrom(parts: RequestParts, body: Body | null, keepalive = false): Promise<RequestData> {
  const { url, headers, ...rest } = parts;
  const bytes = body === null ? new ArrayBuffer(0) : await bufferOf(body);
  return {
    url,
    headers: Object.fromEntries(headers),
    ...rest,
    keepalive,
    ...(!isBodiless(parts.method) && { body: bytes }),
  };
}

/** A Request that can be sent or read once, as `fetch` wants it. */
export function requestOf(parts: RequestParts, body: Body | null, keepalive = false): Request {
  const { url, headers, mode, ...rest } = parts;
  return new Request(url, {
    ...(rest as RequestInit),
    mode: mode === 'navigate' ? 'same-origin' : (mode as RequestMode),
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    keepalive,
    ...(body !== null && { body: body as BodyInit }),
  });
}

async function bufferOf(body: Body): Promise<ArrayBuffer> {
  return body instanceof Uint8Array ? body.slice().buffer : body.arrayBuffer();
}
