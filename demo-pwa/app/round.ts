import type { EntryView } from 'holdfast';
import type { Note, NoteDraft } from '../wire';

/** What the inspector did, as one request of the outbox still has it. `null` where its content cannot be read. */
export type Act =
  | { readonly do: 'put'; readonly draft: NoteDraft | null }
  | { readonly do: 'delete' }
  | { readonly do: 'add-photo'; readonly photoId: string; readonly url: string | null }
  | { readonly do: 'remove-photo'; readonly photoId: string };

export interface Write {
  readonly noteId: string;
  readonly entry: EntryView;
  readonly act: Act;
}

/** The three truths about something an inspector wrote, and the fourth: it needs a person. */
export type Stage = 'confirmed' | 'saved' | 'sending' | 'attention';

export interface PhotoView {
  readonly id: string;
  /** Of the server, or `blob:` while it is only here; null when its bytes cannot be read. */
  readonly url: string | null;
  readonly stage: Stage;
  /** Its removal waits. */
  readonly leaving: boolean;
}

/** A change that met somebody else's. */
export interface Conflict {
  readonly entry: EntryView;
  /** Null: the change was a deletion, or cannot be read. */
  readonly mine: NoteDraft | null;
  /** Null: it is not there any more. */
  readonly theirs: Note | null;
}

/** A record as the inspector sees it: what the server has, and on top of it what this device has not delivered yet. */
export interface NoteView extends NoteDraft {
  readonly id: string;
  /** Null: made here, and the server has not seen it. */
  readonly author: string | null;
  readonly updatedBy: string | null;
  /** The version the next change will meet once all that waits has arrived; 0: there is nothing yet. */
  readonly version: number;
  readonly photos: readonly PhotoView[];
  readonly stage: Stage;
  /** Its deletion waits. */
  readonly leaving: boolean;
  readonly conflict: Conflict | null;
  /** A request about it that was given up on for another reason. */
  readonly trouble: EntryView | null;
}

/**
 * Lays the outbox over the server's records.
 *
 * @param writes    in the order they were made
 * @param fetchedAt when the reading of `notes` began, epoch ms; what was delivered before is in them
 */
export function foldRound(notes: readonly Note[], writes: readonly Write[], fetchedAt: number): NoteView[] {
  const server = new Map(notes.map((note) => [note.id, note]));
  const views = new Map(notes.map((note) => [note.id, confirmed(note)]));
  for (const write of writes) {
    if (!counts(write.entry, fetchedAt)) continue;
    const before = views.get(write.noteId);
    const after = apply(before, write, server.get(write.noteId) ?? null);
    if (after) views.set(write.noteId, after);
  }
  return [...views.values()].sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
}

/** Whether an entry still says something that the server's records do not. */
function counts({ state, finishedAt = 0, dead }: EntryView, fetchedAt: number): boolean {
  if (state === 'delivered') return finishedAt > fetchedAt;
  if (!dead) return true;
  return dead.triage !== 'closed' && dead.reason !== 'cancelled' && dead.reason !== 'superseded';
}

function apply(before: NoteView | undefined, write: Write, theirs: Note | null): NoteView | undefined {
  const { act, entry, noteId } = write;
  const stage = stageOf(entry);
  if (!before) {
    // Nothing to lay it over: only a record's own content can stand by itself.
    if (act.do !== 'put' || !act.draft) return undefined;
    const base = { ...act.draft, id: noteId, author: null, updatedBy: null, photos: [], leaving: false };
    return { ...base, version: 1, stage, ...wrong(entry, act.draft, theirs) };
  }
  const next: NoteView = { ...before, stage: worse(before.stage, stage) };
  const troubled = entry.dead ? { ...next, ...wrong(entry, act.do === 'put' ? act.draft : null, theirs) } : next;
  switch (act.do) {
    case 'put':
      return entry.dead ? troubled : { ...next, ...act.draft, version: before.version + 1 };
    case 'delete':
      return entry.dead ? troubled : { ...next, leaving: true };
    case 'add-photo': {
      if (before.photos.some(({ id }) => id === act.photoId)) return before;
      return { ...troubled, photos: [...before.photos, { id: act.photoId, url: act.url, stage, leaving: false }] };
    }
    case 'remove-photo': {
      const leave = (photo: PhotoView): PhotoView =>
        photo.id === act.photoId ? { ...photo, stage: worse(photo.stage, stage), leaving: !entry.dead } : photo;
      return { ...troubled, photos: before.photos.map(leave) };
    }
  }
}

function confirmed(note: Note): NoteView {
  const photos = note.photos.map(
    ({ id }) => ({ id, url: `/api/photos/${id}`, stage: 'confirmed', leaving: false }) as const,
  );
  return { ...note, photos, stage: 'confirmed', leaving: false, conflict: null, trouble: null };
}

function wrong(entry: EntryView, mine: NoteDraft | null, theirs: Note | null): Pick<NoteView, 'conflict' | 'trouble'> {
  if (!entry.dead) return { conflict: null, trouble: null };
  return entry.dead.reason === 'conflict'
    ? { conflict: { entry, mine, theirs }, trouble: null }
    : { conflict: null, trouble: entry };
}

function stageOf({ state }: EntryView): Stage {
  return state === 'delivered'
    ? 'confirmed'
    : state === 'dead'
      ? 'attention'
      : state === 'sending'
        ? 'sending'
        : 'saved';
}

const order: readonly Stage[] = ['confirmed', 'saved', 'sending', 'attention'];

/** Of two stages the one a person has to know of. */
export function worse(a: Stage, b: Stage): Stage {
  return order.indexOf(a) >= order.indexOf(b) ? a : b;
}
