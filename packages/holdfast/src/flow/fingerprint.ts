import type { Body } from '../ports';
import type { Captured } from './capture';

/** Bodies above this are told apart by their size only, bytes. */
const hashMax = 1_048_576;

const known = new WeakMap<Captured, Promise<string>>();

/** What makes two dispatches the same fetch; short, and no content of the body. */
export function fingerprint(captured: Captured): Promise<string> {
  const before = known.get(captured);
  const print = before ?? made(captured);
  if (!before) known.set(captured, print);
  return print;
}

async function made({ request, body }: Captured): Promise<string> {
  const size = body === null ? -1 : body instanceof Uint8Array ? body.byteLength : body.size;
  const bytes = body !== null && size <= hashMax ? await bytesOf(body) : new Uint8Array();
  return `${request.method} ${request.url} ${size} ${hash(bytes)}`;
}

async function bytesOf(body: Body): Promise<Uint8Array> {
  return body instanceof Uint8Array ? body : new Uint8Array(await body.arrayBuffer());
}

/** FNV-1a, 32 bits: it tells apart what one page sends within a minute; nothing is trusted to it. */
function hash(bytes: Uint8Array): number {
  let value = 0x811c9dc5;
  for (const byte of bytes) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}
