import type { EntryView, OutboxSnapshot } from 'holdfast';
import type { Outbox } from 'holdfast/page';
import type { NoteDraft } from '../wire';
import type { Act, Write } from './round';

/** Most waiting requests shown on the round; more than this many are still sent, and the panel counts them. */
const most = 1_000;

/**
 * Turns the outbox's entries back into what the inspector did. The bodies are read from the outbox itself: there is no
 * second copy of anything that waits.
 */
export function writeReader(outbox: Outbox): (snapshot: OutboxSnapshot) => Promise<Write[]> {
  const drafts = new Map<string, { readonly revision: number; readonly draft: NoteDraft | null }>();
  const photos = new Map<string, string | null>();

  async function content(entry: EntryView): Promise<Response | null> {
    const found = await outbox.content(entry.id).catch(() => undefined);
    // The header, not the blob's own type: engines change the case of a multipart boundary in there.
    const type = found?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    return found?.body ? new Response(found.body, { headers: { 'content-type': type } }) : null;
  }

  async function draft(entry: EntryView): Promise<NoteDraft | null> {
    const known = drafts.get(entry.id);
    if (known && (known.revision === entry.revision || entry.state === 'delivered')) return known.draft;
    const read = ((await (await content(entry))?.json().catch(() => null)) ?? null) as NoteDraft | null;
    drafts.set(entry.id, { revision: entry.revision, draft: read });
    return read;
  }

  /** The photo out of its multipart body, as something an `<img>` can show. */
  async function photo(entry: EntryView): Promise<string | null> {
    const known = photos.get(entry.id);
    if (known !== undefined) return known;
    const form = await (await content(entry))?.formData().catch(() => null);
    const file = form?.get('photo');
    const url = file instanceof Blob ? URL.createObjectURL(file) : null;
    photos.set(entry.id, url);
    return url;
  }

  async function act(entry: EntryView, photoId: string): Promise<Act> {
    switch (entry.route) {
      case 'photos':
        return { do: 'add-photo', photoId, url: await photo(entry) };
      case 'photo-removals':
        return { do: 'remove-photo', photoId };
      default:
        return entry.method === 'DELETE' ? { do: 'delete' } : { do: 'put', draft: await draft(entry) };
    }
  }

  return async (snapshot) => {
    const entries = (await allOf(outbox, snapshot)).toSorted((a, b) => a.seq - b.seq);
    forget(entries);
    const writes = entries.map(async (entry): Promise<Write[]> => {
      const { noteId, photoId } = metaOf(entry);
      return noteId ? [{ noteId, entry, act: await act(entry, photoId) }] : [];
    });
    return (await Promise.all(writes)).flat();
  };

  /** What nobody will ask for again: a `blob:` URL holds its bytes until it is revoked. */
  function forget(entries: readonly EntryView[]): void {
    const there = new Set(entries.map(({ id }) => id));
    for (const id of drafts.keys()) if (!there.has(id)) drafts.delete(id);
    for (const [id, url] of photos) {
      if (there.has(id)) continue;
      photos.delete(id);
      if (url !== null) URL.revokeObjectURL(url);
    }
  }
}

/** The snapshot's entries; from the store where the snapshot's window is too small for all that waits. */
async function allOf(outbox: Outbox, { entries, counts }: OutboxSnapshot): Promise<readonly EntryView[]> {
  const waiting = entries.filter(({ state }) => state === 'pending' || state === 'sending');
  if (waiting.length >= counts.pending + counts.sending) return entries;
  const [pending, sending] = await Promise.all([
    outbox.list({ state: 'pending', limit: most }),
    outbox.list({ state: 'sending', limit: most }),
  ]);
  const byId = new Map([...entries, ...pending, ...sending].map((entry) => [entry.id, entry]));
  return [...byId.values()];
}

function metaOf({ meta }: EntryView): { noteId: string; photoId: string } {
  const { noteId, photoId } = (typeof meta === 'object' && meta !== null ? meta : {}) as Record<string, unknown>;
  return { noteId: typeof noteId === 'string' ? noteId : '', photoId: typeof photoId === 'string' ? photoId : '' };
}
