import type { Answer } from '../answer';

/**
 * An answer in as few objects as may be. A hundred thousand of them are held at once, and the collector walks each: kept as
 * they come, they cost a request more time than all the rest of the guard.
 */
export interface Packed {
  readonly status: number;
  /** The header pairs as JSON. */
  readonly headers: string;
  /** One character a byte where it is short; a text of such characters takes one byte each. */
  readonly body: string | Uint8Array | null;
  readonly bodyKept: boolean;
}

/** Longer bodies are one large block of memory anyway. */
const shortBytes = 4_096;

export function pack({ status, headers, body, bodyKept }: Answer): Packed {
  const short = body !== null && body.byteLength <= shortBytes;
  return { status, headers: JSON.stringify(headers), body: short ? lettersOf(body) : body, bodyKept };
}

export function unpack({ status, headers, body, bodyKept }: Packed): Answer {
  const bytes = typeof body === 'string' ? Uint8Array.from(body, (letter) => letter.charCodeAt(0)) : body;
  return { status, headers: JSON.parse(headers) as [string, string][], body: bytes, bodyKept };
}

/** Code points 0 to 255 for bytes 0 to 255; a decoder for `latin1` would turn some into others (it means windows-1252). */
export function lettersOf(bytes: Uint8Array): string {
  return String.fromCharCode.apply(null, bytes as unknown as number[]);
}
