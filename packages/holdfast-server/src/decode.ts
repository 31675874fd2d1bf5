import { collect } from './collect';

/**
 * Undoes a `Content-Encoding`, so that the same payload has one fingerprint however it was packed.
 *
 * @param limitBytes most bytes to unpack; a small request may unpack to a very large one
 * @returns          the payload, or `undefined` if the coding is unknown, broken or passes the limit:
 *                   the packed bytes then speak for themselves
 */
export async function decoded(bytes: Uint8Array, coding: string, limitBytes: number): Promise<Uint8Array | undefined> {
  const format = formats[coding.trim().toLowerCase()];
  if (!format) return undefined;
  try {
    const unpacked = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream(format));
    return await collect(unpacked, limitBytes);
  } catch {
    return undefined;
  }
}

/** Names by RFC 9110 section 8.4.1; `x-gzip` is to be treated as `gzip` (section 8.4.1.3). */
const formats: Record<string, CompressionFormat | undefined> = { gzip: 'gzip', 'x-gzip': 'gzip', deflate: 'deflate' };
