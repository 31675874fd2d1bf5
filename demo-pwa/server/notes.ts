import type { Note, NoteDraft, Photo } from '../wire';
import { many, one, run, type Database } from './database';
import { record, type Deed } from './ledger';
import { photosOf } from './photos';
import { Problem } from './problem';
import { isSite } from './sites';

/** What a write demands of the state it finds (RFC 9110 section 13.1). */
export interface Precondition {
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
}

const select = `SELECT id, site_id AS siteId, author, text, rating, version, created_at AS createdAt,
  updated_at AS updatedAt, updated_by AS updatedBy FROM notes`;

export function notes(db: Database): Note[] {
  const photos = photosOf(db);
  return many<Omit<Note, 'photos'>>(db, `${select} ORDER BY created_at DESC, id`).map((row) =>
    shape(row, photos.get(row.id) ?? []),
  );
}

export function note(db: Database, id: string): Note | undefined {
  const row = one<Omit<Note, 'photos'>>(db, `${select} WHERE id = ?`, id);
  return row && shape(row, photosOf(db, id).get(id) ?? []);
}

export function etag(note: Note): string {
  return `"${note.version}"`;
}

/**
 * Makes a note or changes it. Inside a transaction.
 *
 * @throws Problem 412 when the precondition does not hold; its `current` is the note as it is
 */
export function putNote(db: Database, id: string, draft: NoteDraft, demands: Precondition, deed: Deed): Note {
  const before = note(db, id);
  demand(before, demands);
  if (before) {
    run(
      db,
      'UPDATE notes SET site_id = ?, text = ?, rating = ?, version = version + 1, updated_at = ?, updated_by = ? WHERE id = ?',
      ...[draft.siteId, draft.text, draft.rating, deed.at, deed.user, id],
    );
  } else {
    run(
      db,
      `INSERT INTO notes (id, site_id, author, text, rating, version, created_at, updated_at, updated_by)
       VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?)`,
      ...[id, draft.siteId, deed.user, draft.text, draft.rating, draft.createdAt, deed.at, deed.user],
    );
  }
  record(db, deed, before ? 'note-changed' : 'note-created', id);
  return found(db, id);
}

/**
 * Removes a note and its photos. Inside a transaction.
 *
 * @throws Problem 404 when there is none, 412 when the precondition does not hold
 */
export function deleteNote(db: Database, id: string, demands: Precondition, deed: Deed): void {
  const before = found(db, id);
  demand(before, demands);
  run(db, 'DELETE FROM notes WHERE id = ?', id);
  record(db, deed, 'note-deleted', id);
}

/** @throws Problem 404 */
export function found(db: Database, id: string): Note {
  const it = note(db, id);
  if (!it) throw new Problem(404, 'No such note', `There is no note ${id}.`);
  return it;
}

/** @throws Problem 400 naming the first field that is wrong */
export function readDraft(body: unknown, now: number): NoteDraft {
  const {
    siteId,
    text,
    rating,
    createdAt = now,
  } = (typeof body === 'object' && body ? body : {}) as Record<string, unknown>;
  const wrong = (field: string, rule: string): Problem =>
    new Problem(400, 'The note cannot be saved', `${field} ${rule}.`, { field });
  if (typeof siteId !== 'string' || !isSite(siteId)) throw wrong('siteId', 'must be one of the sites of /api/sites');
  if (typeof text !== 'string' || text.length > 10_000)
    throw wrong('text', 'must be text of at most 10,000 characters');
  if (!Number.isInteger(rating) || (rating as number) < 1 || (rating as number) > 5) {
    throw wrong('rating', 'must be a whole number from 1 to 5');
  }
  if (!Number.isSafeInteger(createdAt) || (createdAt as number) < 0) {
    throw wrong('createdAt', 'must be a moment in epoch milliseconds');
  }
  return { siteId, text, rating: rating as number, createdAt: createdAt as number };
}

function demand(before: Note | undefined, { ifMatch, ifNoneMatch }: Precondition): void {
  const tags = (field: string): string[] => field.split(',').map((tag) => tag.trim());
  const failed = (detail: string): Problem =>
    new Problem(412, 'Changed meanwhile', detail, { current: before ?? null });
  if (ifMatch !== null) {
    const fits = before !== undefined && tags(ifMatch).some((tag) => tag === '*' || tag === etag(before));
    if (!fits) {
      throw failed(before ? `${before.updatedBy} has changed this note since.` : 'This note has been deleted since.');
    }
  }
  if (ifNoneMatch !== null && before) {
    const taken = tags(ifNoneMatch).some((tag) => tag === '*' || tag === etag(before));
    if (taken) throw failed('There is a note of this id already.');
  }
}

/** Without what the driver adds to a row. */
function shape(row: Omit<Note, 'photos'>, photos: readonly Photo[]): Note {
  const { id, siteId, author, text, rating, version, createdAt, updatedAt, updatedBy } = row;
  return { id, siteId, author, text, rating, version, createdAt, updatedAt, updatedBy, photos };
}
