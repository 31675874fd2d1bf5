import { asOutboxError } from '../core/errors';
import type { Entry } from '../core/entry';
import { viewOf, type EntryView } from '../core/snapshot';
import { edit, type Edit } from '../flow/acts/edit';
import { claimDead, closeDead, replay } from '../flow/acts/triage';
import type { Context } from '../flow/context';
import type { DeadLetters, EntryChange } from './client';
import type { createReader } from './read';

/** The page's side of the dead-letter list. @param after is told when an act may have made something due */
export function deadLetters(context: Context, reader: ReturnType<typeof createReader>, after: () => void): DeadLetters {
  const view = async (act: Promise<Entry>): Promise<EntryView> => viewOf(await act, null);
  const again = async (act: Promise<Entry>): Promise<EntryView> => {
    const done = await view(act);
    after();
    return done;
  };
  const dead: DeadLetters = {
    async list({ triage, ...options } = {}) {
      const found = await reader.list(
        { ...options, state: 'dead' },
        (entry) => triage === undefined || entry.dead?.triage === triage,
      );
      return found;
    },
    claim: (id, assignee) => view(claimDead(context, id, assignee)),
    fix: async (id, change) => view(edit(context, id, editOf(change))),
    replay: (id) => again(replay(context, id)),
    close: (id, resolution) => again(closeDead(context, id, resolution)),
    async bulk(act, filter = {}) {
      const chosen = await reader.list(
        { ...filter, state: 'dead', limit: Number.MAX_SAFE_INTEGER },
        (entry) => entry.dead?.triage !== 'closed',
      );
      const failed: { id: string; code: string; message: string }[] = [];
      for (const { id } of chosen) {
        try {
          if (act.do === 'claim') await claimDead(context, id, act.assignee);
          else if (act.do === 'replay') await replay(context, id);
          else await closeDead(context, id, act.resolution);
        } catch (error) {
          const { code, message } = asOutboxError(error, 'hook-failed', 'it could not be done');
          failed.push({ id, code, message });
        }
      }
      after();
      return { done: chosen.length - failed.length, failed };
    },
  };
  return dead;
}

/** What the app hands over, as the flow takes it. */
export function editOf({ body, ...change }: EntryChange): Edit {
  if (body === undefined) return change;
  if (body === null) return { ...change, body: { body: null, type: '' } };
  const type = change.headers?.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  if (typeof body === 'string') {
    return { ...change, body: { body: new TextEncoder().encode(body), ...(type !== undefined && { type }) } };
  }
  if (body instanceof Blob) return { ...change, body: { body, type: type ?? body.type } };
  const bytes = body instanceof Uint8Array ? body : new Uint8Array(body);
  return { ...change, body: { body: bytes, ...(type !== undefined && { type }) } };
}
