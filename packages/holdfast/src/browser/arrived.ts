import type { Arrived, System } from '../ports';

type Read = Awaited<ReturnType<Arrived['text']>>;

/** A server that sends its answer drop by drop holds nobody up for longer than this, milliseconds. */
const READING_MS = 30_000;
/** An unwanted body up to this size is read to its end: cancelling it would cost the connection. */
const DRAIN_BYTES = 65_536;

const UNREADABLE: Read = { text: '', truncated: true };

/** A Response as the facts the flow judges by. */
export function arrived(response: Response, system: Pick<System, 'timer'>): Arrived {
  return {
    status: response.status,
    type: response.type,
    url: response.url,
    redirected: response.redirected,
    headers: Array.from(response.headers as unknown as Iterable<[string, string]>),
    async text(maxBytes, keep = false) {
      try {
        if (maxBytes === 0 && !keep) return unwanted(response);
        return await readText(keep ? response.clone() : response, maxBytes, system);
      } catch {
        return UNREADABLE;
      }
    },
    response,
  };
}

/** Nobody wants it: a server that drips, or sends much, costs nothing more. */
function unwanted(response: Response): Read {
  response.body?.cancel().catch(() => undefined);
  return { text: '', truncated: response.body !== null };
}

async function readText(response: Response, maxBytes: number, system: Pick<System, 'timer'>): Promise<Read> {
  if (response.type === 'opaque' || response.type === 'opaqueredirect' || response.type === 'error') return UNREADABLE;
  const reader = response.body?.getReader();
  if (!reader) return { text: '', truncated: false };
  let late = false;
  const cancel = system.timer(READING_MS, () => {
    late = true;
    void reader.cancel().catch(() => undefined);
  });
  try {
    const { bytes, more } = await readBytes(reader, maxBytes);
    // A cut in the middle of a character leaves that character out.
    return { text: new TextDecoder().decode(bytes, { stream: true }), truncated: more || late };
  } finally {
    cancel();
  }
}

async function readBytes(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number) {
  const kept: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (size < maxBytes) kept.push(part.value);
    size += part.value.length;
    if (size > Math.max(maxBytes, DRAIN_BYTES)) {
      // Not awaited: of a clone it ends only when the original is cancelled too, which the page may never do.
      reader.cancel().catch(() => undefined);
      break;
    }
  }
  return { bytes: joined(kept, Math.min(size, maxBytes)), more: size > maxBytes };
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part.subarray(0, length - at), at);
    at += part.length;
    if (at >= length) break;
  }
  return whole;
}
