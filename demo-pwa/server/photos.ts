import { createHash } from 'node:crypto';
import type { Photo } from '../wire';
import { many, one, run, type Database } from './database';
import { record, type Deed } from './ledger';
import { Problem } from './problem';

/** Largest photo, bytes. */
export const maxPhotoBytes = 25 * 1024 * 1024;

export interface NewPhoto {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

const columns = 'id, note_id AS noteId, name, type, length(bytes) AS size, digest, created_at AS createdAt';

/** Photos by note, oldest first. */
export function photosOf(db: Database, noteId?: string): Map<string, Photo[]> {
  const rows =
    noteId === undefined
      ? many<Photo>(db, `SELECT ${columns} FROM photos ORDER BY created_at, rowid`)
      : many<Photo>(db, `SELECT ${columns} FROM photos WHERE note_id = ? ORDER BY created_at, rowid`, noteId);
  const byNote = new Map<string, Photo[]>();
  for (const { id, noteId: of, name, type, size, digest, createdAt } of rows) {
    byNote.set(of, [...(byNote.get(of) ?? []), { id, noteId: of, name, type, size, digest, createdAt }]);
  }
  return byNote;
}

export function photoBytes(
  db: Database,
  id: string,
): { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer>; readonly digest: string } | undefined {
  return one(db, 'SELECT type, bytes, digest FROM photos WHERE id = ?', id);
}

/**
 * Keeps a photo of a note that exists. Inside a transaction.
 *
 * @throws Problem 404 without the note, 409 when the id belongs to another photo already
 */
export function addPhoto(db: Database, noteId: string, photo: NewPhoto, deed: Deed): void {
  if (!one(db, 'SELECT 1 AS there FROM notes WHERE id = ?', noteId)) {
    throw new Problem(404, 'No such note', `There is no note ${noteId} to add a photo to.`);
  }
  if (one(db, 'SELECT 1 AS there FROM photos WHERE id = ?', photo.id)) {
    throw new Problem(409, 'Photo exists', `There is a photo ${photo.id} already.`);
  }
  const digest = createHash('sha256').update(photo.bytes).digest('hex');
  run(
    db,
    'INSERT INTO photos (id, note_id, name, type, bytes, digest, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ...[photo.id, noteId, photo.name, photo.type, photo.bytes, digest, deed.at],
  );
  record(db, deed, 'photo-added', photo.id);
}

/** @throws Problem 404 */
export function deletePhoto(db: Database, noteId: string, id: string, deed: Deed): void {
  if (run(db, 'DELETE FROM photos WHERE id = ? AND note_id = ?', id, noteId) === 0) {
    throw new Problem(404, 'No such photo', `The note ${noteId} has no photo ${id}.`);
  }
  record(db, deed, 'photo-deleted', id);
}

/**
 * The files of a multipart form's `photo` fields.
 *
 * @param id the id the client has chosen for its photo; further ones get their own
 * @throws Problem 400 without a photo, 413 for one that is too large, 415 for what is no image
 */
export async function readPhotos(form: FormData, id: string): Promise<NewPhoto[]> {
  const files = form.getAll('photo').filter((field): field is File => typeof field !== 'string' && field.size > 0);
  if (files.length === 0)
    throw new Problem(400, 'No photo', 'The form needs at least one file in a field named "photo".');
  return Promise.all(
    files.map(async (file, index) => {
      if (!file.type.startsWith('image/')) {
        throw new Problem(415, 'Not a photo', `"${file.name}" is ${file.type || 'of no known type'}, not an image.`);
      }
      if (file.size > maxPhotoBytes) {
        throw new Problem(
          413,
          'The photo is too large',
          `"${file.name}" has more than ${maxPhotoBytes / 1024 / 1024} MiB.`,
        );
      }
      return {
        id: index === 0 ? id : crypto.randomUUID(),
        name: file.name,
        type: file.type,
        bytes: new Uint8Array(await file.arrayBuffer()),
      };
    }),
  );
}
