import type { Entry, RequestParts } from '../../core/entry';
import { OutboxError } from '../../core/errors';
import { headerOf, keyValue, withHeaders } from '../../core/wire';
import type { Body } from '../../ports';
import { log, type Context } from '../context';
import type { Ledger } from '../ledger';
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
 * @throws OutboxError `not-found`, `changed-meanwhile`, `illegal-move`; `outcome-unknown` for a waiting one of unknown outcome
 */
export async function edit(context: Context, id: string, change: Edit, revision?: number): Promise<Entry> {
  const prepared = change.body && (await context.prepareBody(change.body.body, change.body.type ?? ''));
  const key = context.system.id();
  const entry = await act(context, async (ledger, subject) => {
    const found = await findMine(ledger.rows, id, subject);
    mustBe(found, revision);
    if (found.state !== 'pending' && found.state !== 'dead') {
      throw new OutboxError('illegal-move', `entry "${id}" is ${found.state}, so it cannot be edited`);
    }
    if (found.state === 'pending' && found.outcome === 'unknown') {
      throw new OutboxError(
        'outcome-unknown',
        `entry "${id}" may have been received as it was; wait for its answer before changing it`,
      );
    }
    const request: RequestParts = {
      ...found.request,
      ...(change.method !== undefined && { method: change.method }),
      ...(change.url !== undefined && { url: change.url }),
      ...(change.headers && { headers: change.headers }),
      ...(!change.headers && change.body && { headers: typed(found.request.headers, change.body.type) }),
    };
    if (prepared) await swapBody(ledger, found, prepared.apart);
    return ledger.update(found, {
      request: found.outcome === 'never-sent' ? request : withOwnKey(context, request, key),
      ...(prepared && { body: { ...prepared.info, type: change.body?.type ?? found.body.type } }),
      ...(found.outcome !== 'never-sent' && { key, outcome: 'never-sent' as const, firstUnknownAt: undefined }),
    });
  });
  log(context, { event: 'edit', id, route: entry.route });
  context.tell({ type: 'changed', entry });
  return entry;
}

async function swapBody(ledger: Ledger, entry: Entry, apart: Body | undefined): Promise<void> {
  if (entry.body.kind === 'apart') await ledger.rows.removeBody(entry.seq);
  if (apart) await ledger.rows.putBody(entry.seq, apart);
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
