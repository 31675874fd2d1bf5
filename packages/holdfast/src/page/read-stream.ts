import { OutboxError } from '../core/errors';

/**
 * A stream's bytes as a Blob, so that they can be kept and sent more than once.
 * @param maxBytes the longest that is read
 * @throws OutboxError `not-storable` when it is longer (the rest is cancelled) or breaks
 * @throws TypeError when it gives anything but bytes, as `fetch` does
 */
export async function readStream(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Blob> {
  const chunks: BlobPart[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new OutboxError('not-storable', 'the stream broke before it ended, so this request cannot be kept', {
        cause,
      });
    });
    if (done) return new Blob(chunks);
    if (!((value as unknown) instanceof Uint8Array)) {
      void reader.cancel().catch(() => undefined);
      throw new TypeError('a stream that is sent must give bytes (Uint8Array)');
    }
    size += value.byteLength;
    if (size > maxBytes) {
      void reader.cancel().catch(() => undefined);
      throw new OutboxError(
        'not-storable',
        `a stream of more than ${maxBytes} bytes cannot be kept (limits.bodyBytes); send it with the plain fetch, or raise the limit`,
      );
    }
    chunks.push(value as BlobPart);
  }
}
