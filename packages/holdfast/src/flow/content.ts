import type { BodyInfo, Entry, RequestParts } from '../core/entry';
import { OutboxError } from '../core/errors';
import type { Body } from '../ports';
import type { Captured } from './capture';
import type { Context } from './context';
import type { Ledger } from './ledger';
import type { Intent } from './record';

/** A request ready to be stored: where its bytes go, and what of it may lie open. */
export interface Laid {
  readonly request: RequestParts;
  readonly info: BodyInfo;
  readonly apart?: Body | undefined;
}

/**
 * Lays a request out for the store. With `encrypt` its headers and body become one sealed body, and only what the scheduler needs
 * (method, URL, sizes) lies open. All of it happens before a transaction opens.
 * @throws OutboxError `not-storable`
 */
export async function lay(
  context: Context,
  request: RequestParts,
  body: Body | null,
  type: string,
  subject: string,
): Promise<Laid> {
  if (!context.vault) return { request, ...(await context.prepareBody(body, type)) };
  const plain = body === null ? null : body instanceof Uint8Array ? body : new Uint8Array(await body.arrayBuffer());
  const sealed = await context.vault.seal(subject, request.headers, plain);
  const { info, apart } = await context.prepareBody(sealed, type);
  return { request: { ...request, headers: [] }, info: { ...info, sealed: { size: plain?.byteLength ?? 0 } }, apart };
}

/** What is known of a body before it is laid out. */
export function sketchOf({ body, type }: Captured): BodyInfo {
  return { size: body === null ? 0 : body instanceof Uint8Array ? body.byteLength : body.size, type, kind: 'none' };
}

/** An intent with its request laid out for the store. */
export async function laidOut(context: Context, intent: Intent, { body, type }: Captured): Promise<Intent> {
  const { entry } = intent;
  const laid = await lay(context, entry.request, body, type, entry.subject);
  return { ...intent, apart: laid.apart, entry: { ...entry, request: laid.request, body: laid.info } };
}

/**
 * The request of an entry as it was.
 * @throws OutboxError `unreadable` when the body is gone or altered, or its key is lost
 */
export async function unfold(context: Context, entry: Entry): Promise<{ request: RequestParts; body: Body | null }> {
  const body = await context.loadBody(entry);
  if (!entry.body.sealed) return { request: entry.request, body };
  if (!context.vault || body === null) {
    throw new OutboxError('unreadable', 'this request is encrypted, and this build has no "encrypt" to open it');
  }
  const bytes = body instanceof Uint8Array ? body : new Uint8Array(await body.arrayBuffer());
  const opened = await context.vault.open(entry.subject, bytes);
  return { request: { ...entry.request, headers: opened.headers }, body: opened.body };
}

/** Bytes beside the row of an entry whose body is another now: the old ones go, the new ones come. */
export async function swapBody({ rows }: Ledger, { seq, body }: Entry, apart: Body | undefined): Promise<void> {
  if (body.kind === 'apart') await rows.removeBody(seq);
  if (apart) await rows.putBody(seq, apart);
}
