import type { BodyInfo } from '../core/entry';
import { OutboxError } from '../core/errors';
import type { BlobLike, Body, Store } from '../ports';
import { hasSubtle } from './supports';

/** Up to this size the bytes lie in the row itself: one write instead of two. */
export const INLINE_BYTES = 4 * 1024;
/** Above this size a Blob is stored and sent about twice as fast as bytes, and holds no memory (measured in Chromium). */
export const BLOB_BYTES = 128 * 1024;
/** Up to this size a digest costs less than the write it protects. */
export const DIGEST_BYTES = 1024 * 1024;

/** A body measured and laid out; `apart` goes into the bodies' own store. */
export interface PreparedBody {
  readonly info: BodyInfo;
  readonly apart?: Body;
}

/**
 * Decides where a body is kept. Everything slow happens here, before a transaction opens: IndexedDB commits as soon as
 * anybody waits for something else.
 * @throws OutboxError `not-storable` when its bytes cannot be read (a file that is gone)
 */
export type BodyKeeper = (body: Body | null, type: string) => Promise<PreparedBody>;

export function bodyKeeper(room: { keepsBlobs(): Promise<boolean> }): BodyKeeper {
  return async (body, type) => {
    if (body === null) return { info: { size: 0, type, kind: 'none' } };
    const size = sizeOf(body);
    if (size <= INLINE_BYTES) return { info: { size, type, kind: 'inline', bytes: ownCopy(await bytesOf(body)) } };
    const apart = size > BLOB_BYTES && (await room.keepsBlobs()) ? blobOf(body) : await bytesOf(body);
    const digest = size <= DIGEST_BYTES && hasSubtle() ? await digestOf(await bytesOf(body)) : undefined;
    return { info: { size, type, kind: 'apart', ...(digest !== undefined && { digest }) }, apart };
  };
}

/**
 * The body of an entry, complete and as it was.
 * @throws OutboxError `unreadable` when it is gone, cut short or altered
 */
export async function loadBody(
  store: Pick<Store, 'transact'>,
  { seq, body: info }: { readonly seq: number; readonly body: BodyInfo },
): Promise<Body | null> {
  if (info.kind === 'none') return null;
  const body = info.kind === 'inline' ? info.bytes : await store.transact('read', (rows) => rows.body(seq));
  if (!body) throw unreadable(`the ${info.size} bytes of its body are gone from the store`);
  if (sizeOf(body) !== info.size) throw unreadable(`its body has ${sizeOf(body)} bytes instead of ${info.size}`);
  if (info.digest === undefined || !hasSubtle()) return body;
  const bytes = await bytesOf(body).catch((cause: unknown) => {
    throw unreadable('its body cannot be read', cause);
  });
  if ((await digestOf(bytes)) !== info.digest) throw unreadable('the bytes of its body are not those that were stored');
  return body;
}

function unreadable(what: string, cause?: unknown): OutboxError {
  return new OutboxError('unreadable', `This request cannot be sent: ${what}.`, { cause });
}

function sizeOf(body: Body): number {
  return body instanceof Uint8Array ? body.byteLength : body.size;
}

async function bytesOf(body: Body): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body;
  try {
    return new Uint8Array(await body.arrayBuffer());
  } catch (cause) {
    throw new OutboxError('not-storable', `The ${body.size} bytes of the body cannot be read (a file that changed?).`, {
      cause,
    });
  }
}

/** Without what lies before and behind it in a larger buffer, which would be stored too. */
function ownCopy(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

/** A File becomes a plain Blob: its name and date are not part of the request. */
function blobOf(body: Body): BlobLike {
  return new Blob([body as BlobPart], body instanceof Uint8Array ? {} : { type: body.type });
}

/** SHA-256 in lower-case hex. */
async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as BufferSource));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
