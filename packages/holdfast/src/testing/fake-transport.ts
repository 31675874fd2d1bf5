import { OutboxError } from '../core/errors';
import type { Arrival, Outgoing, System, Transport } from '../ports';

/** What the server, or the lack of one, does with a request. */
export type FakeAnswer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Text, or anything else as JSON. */
      readonly body?: unknown;
      /** @default 'basic' */
      readonly type?: string;
      /** @default the request's */
      readonly url?: string;
      /** @default false */
      readonly redirected?: boolean;
      /** The connection ends between its head and its body. @default false */
      readonly brokenOff?: boolean;
      /** How long it takes; needs a `system`. @default 0 */
      readonly afterMs?: number;
    }
  /** The fetch is rejected; nobody says whether the server did it. */
  | { readonly fail: 'network' | 'aborted'; readonly afterMs?: number }
  /** No answer, ever: the own deadline passes. Needs a `system`. */
  | { readonly fail: 'silence' };

export type FakeServer = (request: Outgoing, nth: number) => FakeAnswer | Promise<FakeAnswer>;

export interface FakeTransport extends Transport {
  /** What was sent, in the order it left. */
  readonly sent: readonly Outgoing[];
  /** Changes what the server does from now on. */
  answer(server: FakeServer | readonly FakeAnswer[]): void;
}

/**
 * A network with one server. A script is answered in order, and its last line again for whatever comes after; an empty
 * script is a server that is down. A function decides by the request, and may keep what it received.
 */
export function fakeTransport(
  server: FakeServer | readonly FakeAnswer[] = [],
  system?: Pick<System, 'timer'>,
): FakeTransport {
  const sent: Outgoing[] = [];
  let serve = asServer(server);

  /** Resolves after a time of the virtual clock; at once when it takes none. */
  function after(ms: number): Promise<void> {
    if (ms <= 0) return Promise.resolve();
    if (!system) throw new TypeError('fakeTransport needs a system as second argument for answers that take time');
    return new Promise((resolve) => void system.timer(ms, resolve));
  }

  return {
    sent,
    answer: (next) => void (serve = asServer(next)),
    check({ method, url }, hasBody) {
      if (!hasBody || (method !== 'GET' && method !== 'HEAD')) return;
      throw new OutboxError('not-storable', `no browser makes this request: ${method} ${url} with a body`);
    },
    async send(request, timeoutMs, _stop, late): Promise<Arrival> {
      sent.push(request);
      const answer = await serve(request, sent.length);
      const takesMs =
        'afterMs' in answer ? (answer.afterMs ?? 0) : 'status' in answer || answer.fail !== 'silence' ? 0 : Infinity;
      if (timeoutMs > 0 && takesMs > timeoutMs) {
        await after(timeoutMs);
        if (late && 'status' in answer)
          void after(takesMs - timeoutMs).then(() => late(arrived(answer, request).answer));
        return { kind: 'timeout', message: `no answer within ${timeoutMs} ms` };
      }
      if (takesMs === Infinity) return new Promise(() => undefined);
      await after(takesMs);
      if ('status' in answer) return arrived(answer, request);
      return { kind: answer.fail === 'aborted' ? 'aborted' : 'network', message: 'the fake network failed' };
    },
  };
}

function asServer(server: FakeServer | readonly FakeAnswer[]): FakeServer {
  if (typeof server === 'function') return server;
  let line = 0;
  return () => server[Math.min(line++, server.length - 1)] ?? { fail: 'network' };
}

function arrived(
  answer: Extract<FakeAnswer, { status: number }>,
  request: Outgoing,
): Extract<Arrival, { kind: 'answer' }> {
  const { status, body, headers = {}, type = 'basic', url = request.url, redirected = false, brokenOff } = answer;
  const whole = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const isJson = body !== undefined && typeof body !== 'string' && !('content-type' in headers);
  const pairs = Object.entries({ ...(isJson && { 'content-type': 'application/json' }), ...headers });
  let response: Response | undefined;
  return {
    kind: 'answer',
    answer: {
      status,
      type,
      url,
      redirected,
      headers: pairs,
      text: (maxBytes) => Promise.resolve(brokenOff ? { text: '', truncated: true } : cut(whole, maxBytes)),
      get response() {
        // Made when asked for, since most tests never look at it.
        response ??= new Response([204, 205, 304].includes(status) ? null : whole, { status, headers: pairs });
        return response;
      },
    },
  };
}

function cut(whole: string, maxBytes: number): { text: string; truncated: boolean } {
  const bytes = new TextEncoder().encode(whole);
  if (bytes.length <= maxBytes) return { text: whole, truncated: false };
  return { text: new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true }), truncated: true };
}
