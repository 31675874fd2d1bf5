import type { BlobLike, Body } from '../ports';
import type { BodyPiece } from './schema';

/**
 * Largest piece of bytes in one value, 4 MiB: engines refuse single values above some 100 MB, and reading many small ones
 * keeps peaks of memory low.
 */
export const PIECE_BYTES = 4 * 1024 * 1024;

/** A body as the values that are stored for it: a Blob whole, bytes in pieces that own their buffer. */
export function piecesOf(body: Body): BodyPiece[] {
  if (!(body instanceof Uint8Array)) return [body as BlobLike & Blob];
  const pieces: BodyPiece[] = [];
  // A view of a larger buffer would be stored with the whole buffer, so a piece is always a copy where it has to be.
  for (let at = 0; at < body.length || at === 0; at += PIECE_BYTES) pieces.push(ownBytes(body, at));
  return pieces;
}

function ownBytes(body: Uint8Array, at: number): Uint8Array {
  const whole = at === 0 && body.length <= PIECE_BYTES && body.length === body.buffer.byteLength;
  return whole ? body : body.slice(at, at + PIECE_BYTES);
}

/** The body that was stored as these values. Several pieces become a Blob, which engines keep outside of the heap. */
export function joinPieces(pieces: readonly BodyPiece[]): Body | undefined {
  if (pieces.length <= 1) return pieces[0];
  return new Blob(pieces as BlobPart[]);
}
