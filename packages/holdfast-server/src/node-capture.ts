import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { guardHeaders } from './answer';
import type { Answer } from './answer';
import { isStream } from './keep-answer';
import { nodeFields } from './node-fields';
import type { Run } from './run';

type Chunk = string | Uint8Array;
type Encoding = BufferEncoding | undefined;

/**
 * Holds back what a handler writes to a response until it is done, keeps it, and sends it then. A stream, or what passes
 * `maxBytes`, is let through as it comes from that moment on.
 */
export function capture(response: ServerResponse, run: Run, maxBytes: number): void {
  const before = pickMethods(response);
  const held: Buffer[] = [];
  let size = 0;
  /** Set once the run hears of the answer; what is written until it has spoken is still held. */
  let settling = false;
  let ended: (() => void) | undefined;

  function take(chunk: Chunk, encoding: Encoding): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk);
    held.push(bytes);
    size += bytes.byteLength;
  }

  function settle(bodyKept: boolean): void {
    settling = true;
    const status = response.statusCode;
    const body = bodyKept && size > 0 ? Buffer.concat(held, size) : null;
    run
      .conclude({ status, headers: nodeFields(response.getHeaders()), body, bodyKept })
      .then((conclusion) => {
        Object.assign(response, before);
        if (conclusion.kind === 'instead') return replace(conclusion.answer);
        for (const name of guardHeaders) response.removeHeader(name);
        for (const [name, value] of conclusion.headers) response.setHeader(name, value);
        release();
      })
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))));
  }

  function release(): void {
    if (ended && held.length <= 1) {
      const [only] = held;
      // Short ones go as text, one character a byte, which Node writes in one piece with the head.
      if (!only || size > 4_096) return void response.end(only, ended);
      return void response.end(only.toString('latin1'), 'latin1', ended);
    }
    response.flushHeaders();
    for (const chunk of held.splice(0)) response.write(chunk);
    if (ended) response.end(ended);
    else response.emit('drain');
  }

  function replace(answer: Answer): void {
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(answer.body ?? undefined, ended);
  }

  response.writeHead = (status: number, reasonOrHeaders?: unknown, headers?: HeadersGiven) => {
    response.statusCode = status;
    if (typeof reasonOrHeaders === 'string') response.statusMessage = reasonOrHeaders;
    setAll(response, typeof reasonOrHeaders === 'string' ? headers : (reasonOrHeaders as HeadersGiven));
    return response;
  };

  response.flushHeaders = () => {
    if (!settling) settle(false);
  };

  response.write = ((chunk: Chunk, encoding?: unknown, done?: () => void) => {
    const callback = typeof encoding === 'function' ? (encoding as () => void) : done;
    take(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : undefined);
    if (!settling && (size > maxBytes || isStream(String(response.getHeader('content-type') ?? '')))) settle(false);
    if (callback) process.nextTick(callback);
    return !settling;
  }) as ServerResponse['write'];

  response.end = ((chunk?: unknown, encoding?: unknown, done?: unknown) => {
    const callback = [chunk, encoding, done].find((part) => typeof part === 'function') as (() => void) | undefined;
    const last = typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : undefined;
    const ending = callback ?? ((): void => undefined);
    if (ended) return response;
    if (last !== undefined) take(last, typeof encoding === 'string' ? (encoding as BufferEncoding) : undefined);
    ended = ending;
    if (!settling) settle(size <= maxBytes);
    return response;
  }) as ServerResponse['end'];

  response.once('close', () => {
    if (!ended && !response.writableEnded) run.abandon();
  });
}

type Methods = Pick<ServerResponse, 'write' | 'end' | 'writeHead' | 'flushHeaders'>;

/** The methods as they were, some perhaps already another middleware's. */
function pickMethods(response: Methods): Methods {
  const names = ['write', 'end', 'writeHead', 'flushHeaders'] as const;
  return Object.fromEntries(names.map((name) => [name, response[name]])) as unknown as Methods;
}

type HeadersGiven = OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined;

function setAll(response: ServerResponse, headers: HeadersGiven): void {
  if (Array.isArray(headers)) {
    const flat = headers.flat() as string[];
    for (let at = 0; at < flat.length; at += 2) response.removeHeader(flat[at] as string);
    for (let at = 0; at < flat.length; at += 2) response.appendHeader(flat[at] as string, String(flat[at + 1]));
    return;
  }
  for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) response.setHeader(name, value);
}
