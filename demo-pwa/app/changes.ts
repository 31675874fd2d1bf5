import type { EntryView } from 'holdfast';
import type { Outbox } from 'holdfast/page';
import type { NoteDraft } from '../wire';
import type { NoteView } from './round';

/** What the record form hands over. */
export interface NoteChange {
  readonly draft: NoteDraft;
  /** Null: a new record. */
  readonly before: NoteView | null;
  readonly newPhotos: readonly File[];
  /** Ids of photos to remove. */
  readonly removedPhotos: readonly string[];
}

/** The inspector's acts, as requests handed to the outbox. Each resolves when it is safely stored on this device. */
export interface Changes {
  save(change: NoteChange, siteName: string): Promise<void>;
  remove(note: NoteView, siteName: string): Promise<void>;
  /** Sends a change that met a conflict again, without minding what it overwrites. */
  keepMine(note: NoteView): Promise<void>;
  /** Gives up a change that met a conflict. */
  takeTheirs(note: NoteView): Promise<void>;
}

const precondition = ({ version }: NoteView): Record<string, string> => ({ 'if-match': `"${version}"` });

export function changesThrough(outbox: Outbox): Changes {
  /** Later changes of the same record that wait behind a conflict: they count on a version that will not come. */
  async function followers({ id, conflict }: NoteView): Promise<readonly EntryView[]> {
    const waiting = await outbox.list({ lane: `note-${id}`, state: 'pending' });
    return waiting.filter(({ route, seq }) => route === 'records' && seq > (conflict?.entry.seq ?? 0));
  }

  async function withoutPrecondition(id: string): Promise<{ headers: (readonly [string, string])[] }> {
    const content = await outbox.content(id, { secrets: true });
    return { headers: (content?.headers ?? []).filter(([name]) => !/^if-(none-)?match$/i.test(name)) };
  }

  return {
    async save({ draft, before, newPhotos, removedPhotos }, siteName) {
      const id = before?.id ?? crypto.randomUUID();
      if (!before || changed(draft, before)) {
        await outbox.add(`/api/notes/${id}`, {
          method: 'PUT',
          headers: {
            'content-type': 'application/json',
            ...(before ? precondition(before) : { 'if-none-match': '*' }),
          },
          body: JSON.stringify(draft),
          outbox: { title: `${before ? 'Edit' : 'Record'}: ${siteName}` },
        });
      }
      for (const photoId of removedPhotos) {
        await outbox.add(`/api/notes/${id}/photos/${photoId}`, {
          method: 'DELETE',
          outbox: { title: `Remove photo: ${siteName}` },
        });
      }
      for (const photo of newPhotos) {
        const form = new FormData();
        form.append('photo', photo);
        await outbox.add(`/api/notes/${id}/photos?id=${crypto.randomUUID()}`, {
          method: 'POST',
          body: form,
          outbox: { title: `Photo: ${siteName}` },
        });
      }
    },

    async remove(note, siteName) {
      await outbox.add(`/api/notes/${note.id}`, {
        method: 'DELETE',
        headers: precondition(note),
        outbox: { title: `Delete: ${siteName}` },
      });
    },

    async keepMine(note) {
      if (!note.conflict) return;
      const { id } = note.conflict.entry;
      for (const later of await followers(note)) await outbox.edit(later.id, await withoutPrecondition(later.id));
      await outbox.dead.fix(id, await withoutPrecondition(id));
      await outbox.dead.replay(id);
    },

    async takeTheirs(note) {
      if (!note.conflict) return;
      for (const later of (await followers(note)).toReversed()) {
        await outbox.cancel(later.id, { reason: 'The earlier version was kept' });
      }
      await outbox.dead.close(note.conflict.entry.id, 'Kept the version on the server');
    },
  };
}

function changed(draft: NoteDraft, before: NoteView): boolean {
  return draft.text !== before.text || draft.rating !== before.rating || draft.siteId !== before.siteId;
}
