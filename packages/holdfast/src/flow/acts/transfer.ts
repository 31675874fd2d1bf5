import { dueNow } from '../../core/clock';
import type { Entry, Json } from '../../core/entry';
import { OutboxError } from '../../core/errors';
import { isBulky } from '../../core/metered';
import type { Body } from '../../ports';
import { lay, unfold } from '../content';
import type { Context } from '../context';
import { isCredential } from '../../core/header-pairs';
import { standsFirst } from '../lane';
import { act } from './find';
import { fits, type Filter } from './reprioritize';

interface Exported {
  readonly entry: Entry;
  /** Base64 of the body. */
  readonly body?: string;
  /** Why headers and body are missing: the key that sealed them is lost, or the bytes are gone. */
  readonly unreadable?: string;
}

export interface ExportFile {
  readonly format: 'holdfast-export';
  readonly version: 1;
  readonly entries: readonly Exported[];
}

/** Everything of this subject that fits, with bodies, as plain JSON. Delivered ones are left out unless asked for by state. */
export async function exportEntries(context: Context, filter: Filter = {}, secrets = false): Promise<ExportFile> {
  const subject = (await context.subject()) ?? '';
  const states: readonly Entry['state'][] = filter.state ? [filter.state] : ['pending', 'sending', 'dead'];
  const found = await context.store.transact('read', async (rows) =>
    Promise.all(states.map((state) => rows.list({ subject, state, limit: Number.MAX_SAFE_INTEGER }))),
  );
  const entries: Exported[] = [];
  for (const entry of found.flat().filter((row) => fits(row, filter))) {
    entries.push(await exported(context, entry, secrets));
  }
  return { format: 'holdfast-export', version: 1, entries };
}

/** One that cannot be read any more keeps no other from being saved. */
async function exported(context: Context, entry: Entry, secrets: boolean): Promise<Exported> {
  const { raw, ...known } = entry;
  const shown = { ...known, ...(secrets && raw !== undefined && { raw: plain(raw) }), body: withoutBytes(entry.body) };
  try {
    const { request, body } = await unfold(context, entry);
    return {
      entry: { ...shown, request: secrets ? request : redacted(request) },
      ...(body && { body: base64(await bytesOf(body)) }),
    };
  } catch (error) {
    return { entry: { ...shown, request: redacted(entry.request) }, unreadable: String(error) };
  }
}

/** Credentials are left out of an export unless it is asked for whole. */
function redacted(request: Entry['request']): Entry['request'] {
  return { ...request, headers: request.headers.filter(([name]) => !isCredential(name)) };
}

/** What was found in the place of a row may be anything; a file takes only what JSON can hold. */
function plain(raw: unknown): Json {
  try {
    return JSON.parse(JSON.stringify(raw)) as Json;
  } catch {
    return String(raw);
  }
}

function withoutBytes({ bytes: _, sealed, ...body }: Entry['body']): Entry['body'] {
  return { ...body, size: sealed?.size ?? body.size };
}

/**
 * Takes in what was exported, from this browser or another: waiting entries go to the end of their lanes, dead ones to the
 * dead letters. A key that is here already is skipped, so that importing twice changes nothing.
 * @throws OutboxError `bad-message` when the file is not one of ours; nothing is taken in then
 */
export async function importEntries(context: Context, file: Json): Promise<{ added: number; known: number }> {
  const { entries } = readFile(file);
  const mine = (await context.subject()) ?? '';
  const prepared = await Promise.all(
    entries.map(async ({ entry, body }) => {
      mustBeSendable(context, entry);
      const content = entry.body.kind === 'none' || body === undefined ? null : bytes(body);
      // Sent without its body it would be another request.
      const lost = entry.body.size > 0 && body === undefined;
      return { entry, lost, laid: await lay(context, entry.request, content, entry.body.type, mine) };
    }),
  );
  return act(context, async (ledger, subject, now) => {
    let added = 0;
    for (const { entry, lost, laid } of prepared) {
      if ((await ledger.rows.byKey(entry.key)) ?? (await ledger.rows.byId(entry.id))) continue;
      const {
        v: _v,
        seq: _seq,
        revision: _revision,
        lease: _lease,
        children: _children,
        waitsFor: _waits,
        bulky: _bulky,
        parkedUntil: _parked,
        ...fields
      } = entry;
      const dead = entry.state === 'dead' || lost;
      const stored = await ledger.insert({
        ...fields,
        subject,
        state: dead ? 'dead' : 'pending',
        head: !dead && (await standsFirst(ledger, subject, entry.lane)),
        // What was being sent when it was exported may have arrived.
        outcome: entry.state === 'sending' && entry.outcome === 'never-sent' ? 'unknown' : entry.outcome,
        dueAt: Math.max(Math.min(entry.dueAt, dueNow(entry, now)), entry.notBefore ?? 0),
        request: laid.request,
        body: laid.info,
        ...(isBulky(context.config.metered, entry.body.size) && { bulky: true as const }),
        ...(lost && {
          finishedAt: now,
          dead: { reason: 'unreadable', message: 'its body was lost before it was exported', at: now, triage: 'open' },
        }),
      });
      if (laid.apart) await ledger.rows.putBody(stored.seq, laid.apart);
      added += 1;
    }
    return { added, known: prepared.length - added };
  });
}

/** @throws OutboxError `bad-message` */
function mustBeSendable(context: Context, { id, request, body }: Entry): void {
  try {
    context.transport.check(request, body.size > 0);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OutboxError('bad-message', `entry "${id}" can never be sent, so nothing was taken in: ${why}`, { cause });
  }
}

function readFile(file: unknown): ExportFile {
  const { format, version, entries } = (file ?? {}) as Partial<ExportFile>;
  const valid = format === 'holdfast-export' && version === 1 && Array.isArray(entries) && entries.every(isExported);
  if (valid) return { format, version, entries };
  throw new OutboxError('bad-message', 'this is not a Holdfast export of version 1; nothing was taken in');
}

function isExported(value: unknown): value is Exported {
  const { entry } = (value ?? {}) as Partial<Exported>;
  return (
    typeof entry === 'object' &&
    typeof entry.key === 'string' &&
    typeof entry.id === 'string' &&
    typeof entry.route === 'string' &&
    typeof entry.request?.url === 'string' &&
    typeof entry.request.method === 'string' &&
    Array.isArray(entry.request.headers) &&
    ['pending', 'sending', 'dead'].includes(entry.state) &&
    typeof entry.body === 'object'
  );
}

async function bytesOf(body: Body): Promise<Uint8Array> {
  return body instanceof Uint8Array ? body : new Uint8Array(await body.arrayBuffer());
}

function base64(data: Uint8Array): string {
  let text = '';
  for (let i = 0; i < data.length; i += 0x8000) text += String.fromCharCode(...data.subarray(i, i + 0x8000));
  return btoa(text);
}

function bytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
