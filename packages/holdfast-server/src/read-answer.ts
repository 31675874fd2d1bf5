import { joined } from './collect';
import { isStream } from './keep-answer';

/** A response's body, read as far as may be. */
export interface ReadBody {
  /** The bytes to keep; `null` if there was no body, or it is not to be kept. */
  readonly bytes: Uint8Array | null;
  readonly kept: boolean;
  /** What to send on: the bytes, or the stream where not all of it was read. */
  readonly toSend: BodyInit | null;
}

/**
 * Reads a response's body to its end, or leaves it a stream if it is one by its type or passes `maxBytes`.
 * Reading to the end first means that the answer is kept before any of it leaves.
 */
export async function readBody(response: Response, maxBytes: number): Promise<ReadBody> {
  const { body } = response;
  if (body === null) return { bytes: null, kept: true, toSend: null };
  const declared = Number(response.headers.get('content-length') ?? 0);
  if (declared > maxBytes || isStream(response.headers.get('content-type'))) {
    return { bytes: null, kept: false, toSend: body };
  }
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.byteLength;
    if (size > maxBytes) return { bytes: null, kept: false, toSend: resumed(chunks, reader) };
  }
  const bytes = joined(chunks, size);
  return { bytes, kept: true, toSend: bytes as BodyInit };
}

/** The stream as it was before its first chunks were read. */
function resumed(chunks: Uint8Array[], reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const early = chunks.shift();
      if (early) return controller.enqueue(early);
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
