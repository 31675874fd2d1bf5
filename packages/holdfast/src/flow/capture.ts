import type { RequestParts } from '../core/entry';
import { OutboxError } from '../core/errors';
import type { Body } from '../ports';

/** A request taken apart: plain values and complete bytes. */
export interface Captured {
  readonly request: RequestParts;
  /** null: it had none. */
  readonly body: Body | null;
  /** The media type the body was made with, boundary and all; `''` when none. */
  readonly type: string;
}

/**
 * Headers the browser adds by itself (or that only it may set). They are not stored: each attempt gets them fresh.
 * Fetch standard, "forbidden request-header".
 */
const browsersOwn =
  /^(accept-charset|accept-encoding|access-control-request-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|permissions-policy|referer|te|trailer|transfer-encoding|upgrade|via|user-agent|upgrade-insecure-requests|save-data|proxy-.*|sec-.*)$/i;

/** Types that tend to be large: read as a Blob, which the engine may keep on disk, instead of into memory. */
const bulky = /^(multipart\/|image\/|video\/|audio\/|application\/(octet-stream|pdf|zip|gzip))/i;

/**
 * Reads a request whole. The bytes are complete when this resolves; the request is used up.
 * `.body` is never looked at: in WebKit that alone has lost bodies, and Firefox has none.
 * @throws OutboxError `not-storable` when the body cannot be read (a file that is gone, a used body)
 */
export async function capture(request: Request): Promise<Captured> {
  const type = request.headers.get('content-type') ?? '';
  const parts = partsOf(request);
  if (request.method === 'GET' || request.method === 'HEAD') return { request: parts, body: null, type };
  try {
    const body = bulky.test(type) ? await request.blob() : new Uint8Array(await request.arrayBuffer());
    const size = body instanceof Uint8Array ? body.byteLength : body.size;
    return { request: parts, body: size === 0 && type === '' ? null : body, type };
  } catch (cause) {
    throw new OutboxError(
      'not-storable',
      `the body of ${request.method} ${request.url} cannot be read, so it cannot be kept`,
      { cause },
    );
  }
}

/** Everything but the body. */
export function partsOf(request: Request): RequestParts {
  return {
    method: request.method,
    url: request.url.replace(/#.*$/s, ''),
    headers: pairs(request.headers).filter(([name]) => !browsersOwn.test(name)),
    mode: request.mode,
    credentials: request.credentials,
    cache: request.cache,
    redirect: request.redirect,
    referrer: request.referrer,
    referrerPolicy: request.referrerPolicy,
    integrity: request.integrity,
  };
}

function pairs(headers: Headers): [string, string][] {
  const list: [string, string][] = [];
  headers.forEach((value, name) => list.push([name, value]));
  return list;
}
