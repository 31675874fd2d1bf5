import { withMembers, withPairs, type Fields } from '../core/body-fields';
import type { Body } from '../ports';

/**
 * A body with fresh values for some of its fields: string members of a JSON object, fields of a form, text parts of an upload.
 * A body of any other type, and fields it does not have, stay as they are.
 *
 * @param type the request's Content-Type
 */
export async function withFields(body: Body | null, type: string, fields: Fields): Promise<Body | null> {
  if (body === null || Object.keys(fields).length === 0) return body;
  const boundary = /^multipart\/form-data\b.*?;\s*boundary="?([^";]+)"?/i.exec(type)?.[1];
  const isJson = /^application\/(\S+\+)?json\b/i.test(type);
  if (boundary === undefined && !isJson && !/^application\/x-www-form-urlencoded\b/i.test(type)) return body;
  const bytes = body instanceof Uint8Array ? body : new Uint8Array(await body.arrayBuffer());
  if (boundary !== undefined) return withParts(bytes, boundary, fields);
  const text = new TextDecoder().decode(bytes);
  return encoded(isJson ? withMembers(text, fields) : withPairs(text, fields));
}

/** RFC 7578: each part is its head, an empty line and its content, between lines of the boundary. */
function withParts(bytes: Uint8Array, boundary: string, fields: Fields): Uint8Array {
  const line = encoded(`--${boundary}`);
  const gap = encoded('\r\n\r\n');
  const kept: Uint8Array[] = [];
  let copied = 0;
  for (let at = indexOf(bytes, line, 0); at !== -1;) {
    const next = indexOf(bytes, line, at + line.length);
    const headEnd = indexOf(bytes, gap, at);
    if (next === -1 || headEnd === -1) break;
    const head = new TextDecoder().decode(bytes.subarray(at, headEnd));
    const name = /^content-disposition:.*;\s*name="([^"]*)"/im.exec(head)?.[1];
    if (headEnd < next && name !== undefined && Object.hasOwn(fields, name) && !/;\s*filename\*?=/i.test(head)) {
      kept.push(bytes.subarray(copied, headEnd + gap.length), encoded(fields[name] ?? ''));
      // The line break before the boundary is not the content's.
      copied = next - 2;
    }
    at = next;
  }
  return copied === 0 ? bytes : joined([...kept, bytes.subarray(copied)]);
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
