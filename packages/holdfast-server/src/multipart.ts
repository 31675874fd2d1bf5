import { indexOfBytes } from './byte-search';

/** One part as it was sent: its header lines, and its content untouched. */
export interface Part {
  readonly head: string;
  /** The field's name, from `Content-Disposition`; empty if it has none. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** The boundary of a multipart media type, or `undefined` for any other type. */
export function boundaryOf(contentType: string): string | undefined {
  const found = /^multipart\/[^;]*;.*?boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  return found?.[1] ?? found?.[2];
}

/**
 * Cuts a multipart body at its boundary, which each sending makes anew while the parts stay the same.
 *
 * @returns the parts in order, or `undefined` if the body is not well formed
 * @see RFC 2046 section 5.1.1 · RFC 7578
 */
export function partsOf(bytes: Uint8Array, boundary: string): Part[] | undefined {
  const encoder = new TextEncoder();
  const opening = encoder.encode(`--${boundary}`);
  const delimiter = encoder.encode(`\r\n--${boundary}`);
  const blankLine = encoder.encode('\r\n\r\n');
  const parts: Part[] = [];

  let at = indexOfBytes(bytes, opening, 0);
  if (at !== 0) return undefined;
  at += opening.length;
  while (!isAt(bytes, at, '--')) {
    if (!isAt(bytes, at, '\r\n')) return undefined;
    const headEnd = indexOfBytes(bytes, blankLine, at);
    if (headEnd === -1) return undefined;
    const contentStart = headEnd + blankLine.length;
    const end = indexOfBytes(bytes, delimiter, headEnd + 2);
    if (end === -1 || end < contentStart - 2) return undefined;
    const head = new TextDecoder('latin1').decode(bytes.subarray(at + 2, headEnd));
    parts.push({ head, name: nameIn(head), content: bytes.subarray(contentStart, Math.max(contentStart, end)) });
    at = end + delimiter.length;
  }
  return parts;
}

function isAt(bytes: Uint8Array, at: number, two: string): boolean {
  return bytes[at] === two.charCodeAt(0) && bytes[at + 1] === two.charCodeAt(1);
}

function nameIn(head: string): string {
  return /^content-disposition:[^\r\n]*?;\s*name="([^"]*)"/im.exec(head)?.[1] ?? '';
}
