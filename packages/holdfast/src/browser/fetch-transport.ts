import type { RequestParts } from '../core/entry';
import { OutboxError } from '../core/errors';
import type { Arrival, Arrived, Outgoing, System, Transport } from '../ports';
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

/** How long an answer may still come after the deadline, milliseconds. */
const lateMs = 60_000;

/** How many such requests may hang at once: each keeps a connection, of which there are few. */
const lateMax = 2;

/**
 * Sends by `fetch`, a new Request each time from the stored bytes and headers. Timeouts are our own: engines name the error
 * of `AbortSignal.timeout` differently, and error texts say nothing.
 */
export function fetchTransport({ system, fetch: chosen }: FetchTransportOptions): Transport {
  let lingering = 0;

  /** The deadline has passed, but the server may have done the work: its answer is worth a while. */
  function linger(answer: Promise<Arrived>, line: AbortController, late: (answer: Arrived) => void): void {
    if (lingering >= lateMax) return line.abort();
    lingering += 1;
    const cancel = system.timer(lateMs, () => line.abort());
    const over = (): void => {
      cancel();
      lingering -= 1;
    };
    answer.then(
      (heard) => {
        over();
        late(heard);
      },
      () => over(),
    );
  }

  return {
    check(request, hasBody) {
      try {
        new Request(request.url, { ...initOf(request), body: hasBody ? 'x' : null });
      } catch (cause) {
        const what = `${request.method} ${request.url}`;
        throw new OutboxError(
          'not-storable',
          `the browser cannot make this request again: ${what} (${String(cause)})`,
          {
            cause,
          },
        );
      }
    },
    async send(outgoing, timeoutMs, stop, late): Promise<Arrival> {
      const line = new AbortController();
      if (stop?.aborted) return { kind: 'aborted', message: 'given up before it was sent' };
      stop?.addEventListener('abort', () => line.abort(), { once: true });
      let cancel = (): void => undefined;
      try {
        const answer = (chosen ?? fetch)(requestOf(outgoing, line.signal)).then((response) =>
          arrived(response, system),
        );
        const deadline = new Promise<'passed'>((resolve) => {
          if (timeoutMs > 0) cancel = system.timer(timeoutMs, () => resolve('passed'));
        });
        const first = await Promise.race([answer, deadline]);
        if (first !== 'passed') return { kind: 'answer', answer: first };
        if (late) linger(answer, line, late);
        else line.abort();
        answer.catch(() => undefined);
        return { kind: 'timeout', message: `no answer within ${timeoutMs} ms` };
      } catch (error) {
        const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
        return stop?.aborted ? { kind: 'aborted', message: 'given up by whoever asked' } : { kind: 'network', message };
      } finally {
        cancel();
      }
    },
  };
}

/** The stored request as the platform's own. @throws TypeError when it cannot be made */
export function requestOf(outgoing: Outgoing, signal: AbortSignal): Request {
  return new Request(outgoing.url, { ...initOf(outgoing), body: bodyOf(outgoing), signal });
}

function initOf(parts: RequestParts): RequestInit {
  const navigates = parts.mode === 'navigate';
  return {
    method: parts.method,
    headers: parts.headers
      .filter(([name]) => !FORBIDDEN.test(name))
      .map(([name, value]): [string, string] => [name, value]),
    // A navigation cannot be built. Its redirect is for the browser to follow, so that the answer is opaque.
    mode: navigates ? 'same-origin' : (parts.mode as RequestMode),
    redirect: navigates ? 'manual' : (parts.redirect as RequestRedirect),
    credentials: parts.credentials as RequestCredentials,
    // "Only if cached" is a question to the cache; a write is one to the server, and elsewhere it may not be asked at all.
    cache: parts.cache === 'only-if-cached' ? 'default' : (parts.cache as RequestCache),
    referrer: parts.referrer,
    referrerPolicy: parts.referrerPolicy as ReferrerPolicy,
    integrity: parts.integrity,
  };
}

/** The Content-Type goes out as it was stored (with its multipart boundary), or not at all if there was none. */
function bodyOf({ body, headers }: Outgoing): BodyInit | null {
  if (body === null || body instanceof Uint8Array) return body as BodyInit | null;
  const blob = body as Blob;
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return hasType || blob.type === '' ? blob : blob.slice(0, blob.size, '');
}
