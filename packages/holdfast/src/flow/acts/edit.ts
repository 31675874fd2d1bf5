import type { BodyInfo, Entry, RequestParts } from '../../core/entry';
import { OutboxError } from '../../core/errors';
import { isBulky } from '../../core/metered';
import { headerOf, withHeaders } from '../../core/header-pairs';
import { keyValue } from '../../core/wire';
import type { Body } from '../../ports';
import { lay, swapBody, unfold } from '../content';
import { log, type Context } from '../context';
import { act, findMine, mustBe } from './find';

/** What to change; what is absent stays. */
export interface Edit {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** The whole list. */
  readonly headers?: RequestParts['headers'] | undefined;
  /** Without `type` it stays of the type it had; a null body takes it away. */
  readonly body?: { readonly body: Body | null; readonly type?: string | undefined } | undefined;
}

/**
 * Changes a waiting or dead request. While nothing was ever sent the key stays; after an answer, or when an attempt got none
 * and the request differs, the key is new: the server must not take another payload for the same intent
 * (draft-ietf-httpapi-idempotency-key-header section 2.5).
 * @throws OutboxError `not-found`, `changed-meanwhile`, `illegal-move`; `not-storable` when no browser could make
 * the changed request; `outcome-unknown` for a waiting one of unknown outcome
 */
export async function edit(context: Context, id: string, change: Edit, revision?: number): Promise<Entry> {
  const subject = (await context.subject()) ?? '';
  const before = await context.store.transact('read', (rows) => findMine(rows, id, subject));
  mustBe(before, revision);
  mustBeEditable(before);
  if (Object.values(change).every((value) => value === undefined)) return before;
  const isNew = before.outcome !== 'never-sent';
  const key = isNew ? context.system.id() : before.key;
  const laid = await changed(context, before, change, key);
  const entry = await act(context, async (ledger) => {
    const found = await findMine(ledger.rows, id, subject);
    mustBe(found, before.revision);
    if (laid.info) await swapBody(ledger, found, laid.apart);
    return ledger.update(found, {
      request: laid.request,
      // Whoever sets the headers knows which version they are about.
      ...(change.headers && { ifMatch: undefined }),
      ...(laid.info && {
        body: laid.info,
        bulky: isBulky(context.config.metered, laid.info.sealed?.size ?? laid.info.size) || undefined,
      }),
      ...(isNew && { key, outcome: 'never-sent' as const, firstUnknownAt: undefined }),
    });
  });
  log(context, { event: 'edit', id, route: entry.route });
  context.tell({ type: 'changed', entry });
  return entry;
}

function mustBeEditable({ id, state, outcome }: Entry): void {
  if (state !== 'pending' && state !== 'dead') {
    throw new OutboxError('illegal-move', `entry "${id}" is ${state}, so it cannot be edited`);
  }
  if (state === 'pending' && outcome === 'unknown') {
    throw new OutboxError(
      'outcome-unknown',
      `entry "${id}" may have been received as it was; wait for its answer before changing it`,
    );
  }
}

/** The changed request, laid out for the store; without `info` its body stays where it is. */
async function changed(
  context: Context,
  entry: Entry,
  change: Edit,
  key: string,
): Promise<{ request: RequestParts; info?: BodyInfo; apart?: Body | undefined }> {
  const sealed = context.vault !== undefined || entry.body.sealed !== undefined;
  const old = sealed ? await unfold(context, entry) : { request: entry.request, body: null };
  const headers = change.headers ?? (change.body ? typed(old.request.headers, change.body.type) : old.request.headers);
  const edited = {
    ...old.request,
    headers,
    method: change.method ?? old.request.method,
    url: change.url ?? old.request.url,
  };
  const request = key === entry.key ? edited : withOwnKey(context, edited, key);
  const size = change.body ? sizeOf(change.body.body) : (entry.body.sealed?.size ?? entry.body.size);
  context.transport.check(request, size > 0);
  if (!change.body && !sealed) return { request };
  const { body = old.body, type = entry.body.type } = change.body ?? {};
  return lay(context, request, body, type, entry.subject);
}

function sizeOf(body: Body | null): number {
  return body === null ? 0 : body instanceof Uint8Array ? body.byteLength : body.size;
}

function typed(headers: RequestParts['headers'], type: string | undefined): RequestParts['headers'] {
  return type === undefined ? headers : withHeaders(headers, { 'content-type': type === '' ? null : type });
}

/** A key the app set itself sits among the headers: the new intent's key takes its place. */
function withOwnKey({ config }: Context, request: RequestParts, key: string): RequestParts {
  const { header } = config.key;
  if (headerOf(request.headers, header) === null) return request;
  return { ...request, headers: withHeaders(request.headers, { [header]: keyValue(key, config.key) }) };
}
