import type { Entry } from '../core/entry';
import { headerOf, withHeaders } from '../core/header-pairs';
import { keyOfValue } from '../core/wire';
import type { Captured } from '../flow/capture';
import type { Context } from '../flow/context';
import { promoteNext, standsFirst } from '../flow/lane';
import { change, type Ledger, type Patch } from '../flow/ledger';
import { notify } from '../flow/notify';
import type { Body } from '../ports';
import { extrasOf, shown, type Extras } from './extras';
import { seqOf, type QueueEntry } from './hand-out';
import { isLent, putBack } from './lending';
import type { Line } from './line';
import type { Run } from './run';

/**
 * Takes back what the app had taken out: the same entry with its key, in the place where it stood (or at the end, when it is
 * pushed), with what the app changed meanwhile.
 * @param captured the request as it is now, read only when it is not the very one that was handed out
 * @returns undefined when this request is not one that is out
 */
export async function takeBack(
  line: Line,
  given: QueueEntry,
  captured: () => Promise<Captured>,
  place: 'end' | 'front',
  run: Run | undefined,
): Promise<Entry | undefined> {
  const { context } = line;
  const known = seqOf(given.request);
  const seq = known ?? (await seqByKey(context, given.request));
  if (seq === undefined) return undefined;
  const content = known === undefined ? await contentOf(context, await captured()) : undefined;
  const createdAt = given.timestamp ?? context.system.now();
  const changed = await change(context.store, context.config.durability, async (ledger) => {
    const row = await ledger.rows.bySeq(seq);
    if (!row || !isOut(row, context.owner)) return undefined;
    const patch: Patch & { readonly workbox: Extras } = {
      createdAt,
      expiresAt: createdAt + line.retentionMs,
      dueAt: context.system.now(),
      meta: shown(given.metadata),
      workbox: notedOn(row, given.metadata),
    };
    let back = await putBack(ledger, row, patch);
    if (back && content) back = await rewrite(ledger, context, back, content);
    return back && place === 'end' ? toEnd(ledger, back) : back;
  });
  notify(context, changed);
  if (changed.value) run?.returned(seq);
  return changed.value;
}

/** Lent to this worker, or taken out by the app outside of `onSync`. */
function isOut(row: Entry, owner: string): boolean {
  if (isLent(row)) return row.lease?.owner === owner;
  return row.state === 'dead' && row.dead?.reason === 'cancelled';
}

/** A request made from the one that was handed out has its key. */
async function seqByKey({ store, config, owner }: Context, request: Request): Promise<number | undefined> {
  const value = request.headers.get(config.key.header);
  if (value === null) return undefined;
  const row = await store.transact('read', (rows) => rows.byKey(keyOfValue(value)));
  return row && isOut(row, owner) ? row.seq : undefined;
}

function notedOn(row: Entry, metadata: object | undefined): Extras {
  const { passed: _passed, metadata: _before, ...others } = extrasOf(row);
  return { ...others, ...(metadata && { metadata }) };
}

interface Content {
  readonly captured: Captured;
  readonly info: Entry['body'];
  readonly apart?: Body | undefined;
  readonly newKey: string;
}

async function contentOf(context: Context, captured: Captured): Promise<Content> {
  return { captured, newKey: context.system.id(), ...(await context.prepareBody(captured.body, captured.type)) };
}

/** The app changed it. Another address or body under the same key would be refused, so then the key is new. */
async function rewrite(ledger: Ledger, context: Context, entry: Entry, content: Content): Promise<Entry> {
  const { header } = context.config.key;
  const { request: now } = content.captured;
  const isAppsOwnKey = headerOf(entry.request.headers, header) !== null;
  const request = isAppsOwnKey ? now : { ...now, headers: withHeaders(now.headers, { [header]: null }) };
  const same =
    request.method === entry.request.method && request.url === entry.request.url && isAlike(content.info, entry.body);
  if (entry.body.kind === 'apart') await ledger.rows.removeBody(entry.seq);
  if (content.apart) await ledger.rows.putBody(entry.seq, content.apart);
  return ledger.update(entry, {
    request,
    body: content.info,
    ...(!same && !isAppsOwnKey && { key: content.newKey, outcome: 'never-sent', firstUnknownAt: undefined }),
  });
}

function isAlike(one: Entry['body'], other: Entry['body']): boolean {
  if (one.size !== other.size || one.kind !== other.kind || one.digest !== other.digest) return false;
  return one.kind !== 'inline' || (one.bytes ?? []).every((byte, at) => byte === other.bytes?.[at]);
}

/** The same entry behind all others of its queue. Store order is the only order, so it becomes a new row. */
async function toEnd(ledger: Ledger, entry: Entry): Promise<Entry> {
  const body = entry.body.kind === 'apart' ? await ledger.rows.body(entry.seq) : undefined;
  const { v: _v, seq: _seq, revision: _revision, ...fields } = entry;
  await ledger.remove(entry);
  await promoteNext(ledger, entry);
  const head = await standsFirst(ledger, entry.subject, entry.lane);
  const stored = await ledger.insert({ ...fields, head });
  if (body) await ledger.rows.putBody(stored.seq, body);
  return stored;
}
