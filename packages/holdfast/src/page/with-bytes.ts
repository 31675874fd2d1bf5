import { readsFormFiles } from '../browser/supports';
import type { Context } from '../flow/context';
import { encodeForm } from './encode-form';
import { aborted } from './from-here';
import { readStream } from './read-stream';

/**
 * The Request that `fetch` would make, with a body that can be read in every engine.
 * @throws OutboxError `not-storable` for a stream over the limit; TypeError as `fetch` does
 */
export async function withBytes(
  { config, system }: Context,
  input: RequestInfo | URL,
  init: RequestInit,
): Promise<Request> {
  if (init.body instanceof ReadableStream) {
    // Engines differ on streams: Firefox would send the text "[object ReadableStream]".
    const { duplex: _, ...others } = init as RequestInit & { duplex?: string };
    const reading = readStream(init.body as ReadableStream<Uint8Array>, config.limits.bodyBytes);
    const body = await (init.signal ? Promise.race([reading, aborted(init.signal)]) : reading);
    return new Request(input, { ...others, body });
  }
  if (init.body instanceof FormData && !(await readsFormFiles())) {
    const { body, type } = encodeForm(init.body, `----HoldfastForm${system.id()}`);
    const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
    if (!headers.has('content-type')) headers.set('content-type', type);
    return new Request(input, { ...init, headers, body });
  }
  return new Request(input, init);
}

/** False for what this engine's pages may fail to read although there is nothing wrong with it. */
export async function mayRead(request: Request): Promise<boolean> {
  return !/^multipart\//i.test(request.headers.get('content-type') ?? '') || readsFormFiles();
}
