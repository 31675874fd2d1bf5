import type { Arrival, Outgoing, System, Transport } from '../ports';
import { arrived } from './arrived';

/**
 * Names a page may not set (Fetch, "forbidden request-header"): the engine sets them, and would drop ours without a word.
 * A captured request can carry them where an engine shows them.
 */
const FORBIDDEN =
  /^(accept-charset|accept-encoding|access-control-request-(headers|method|private-network)|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/i;

export interface FetchTransportOptions {
  readonly system: Pick<System, 'timer'>;
  /** The `fetch` to use. @default the platform's, looked up at each request */
  readonly fetch?: typeof fetch;
}

/**
 * Sends by `fetch`, a new Request each time from the stored bytes and headers. Timeouts are our own: engines name the error
 * of `AbortSignal.timeout` differently, and error texts say nothing.
 */
export function fetchTransport({ system, fetch: chosen }: FetchTransportOptions): Transport {
  return {
    async send(outgoing, timeoutMs, stop): Promise<Arrival> {
      const deadline = new AbortController();
      if (stop?.aborted) return { kind: 'aborted', message: 'given up before it was sent' };
      stop?.addEventListener('abort', () => deadline.abort(), { once: true });
      const cancel = timeoutMs > 0 ? system.timer(timeoutMs, () => deadline.abort()) : () => undefined;
      try {
        const request = new Request(outgoing.url, initOf(outgoing, deadline.signal));
        const response = await (chosen ?? fetch)(request);
        return { kind: 'answer', answer: arrived(response, system) };
      } catch (error) {
        const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
        if (stop?.aborted) return { kind: 'aborted', message: 'given up by whoever asked' };
        if (deadline.signal.aborted) return { kind: 'timeout', message: `no answer within ${timeoutMs} ms` };
        return { kind: 'network', message };
      } finally {
        cancel();
      }
    },
  };
}

function initOf(outgoing: Outgoing, signal: AbortSignal): RequestInit {
  const navigates = outgoing.mode === 'navigate';
  return {
    method: outgoing.method,
    headers: outgoing.headers
      .filter(([name]) => !FORBIDDEN.test(name))
      .map(([name, value]): [string, string] => [name, value]),
    body: bodyOf(outgoing),
    // A navigation cannot be built. Its redirect is for the browser to follow, so that the answer is opaque.
    mode: navigates ? 'same-origin' : (outgoing.mode as RequestMode),
    redirect: navigates ? 'manual' : (outgoing.redirect as RequestRedirect),
    credentials: outgoing.credentials as RequestCredentials,
    // "Only if cached" is a question to the cache; a write is one to the server, and elsewhere it may not be asked at all.
    cache: outgoing.cache === 'only-if-cached' ? 'default' : (outgoing.cache as RequestCache),
    referrer: outgoing.referrer,
    referrerPolicy: outgoing.referrerPolicy as ReferrerPolicy,
    integrity: outgoing.integrity,
    signal,
  };
}

/** The Content-Type goes out as it was stored (with its multipart boundary), or not at all if there was none. */
function bodyOf({ body, headers }: Outgoing): BodyInit | null {
  if (body === null || body instanceof Uint8Array) return body as BodyInit | null;
  const blob = body as Blob;
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return hasType || blob.type === '' ? blob : blob.slice(0, blob.size, '');
}
