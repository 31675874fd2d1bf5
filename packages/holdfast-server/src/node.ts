import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { guardHeaders, isBodiless } from './answer';
import type { Answer } from './answer';
import { joined } from './collect';
import type { Handler, IdempotentHandler } from './idempotent';
import { runHandler } from './idempotent';
import { bodyAtHand } from './node-body';

export interface NodeListenerOptions {
  /** The scheme callers use, where a proxy ends TLS in front of this server. @default 'https' on a TLS socket, else 'http' */
  readonly scheme?: 'http' | 'https';
  /** Hears what the handler threw; the caller gets a bare 500. @default a warning of the process, with the stack */
  readonly onError?: (error: unknown) => void;
}

/** A `node:http` listener. */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** Bodies declared to be this small are read before the `Request` is made, which is far cheaper than a stream of bytes. */
const smallBytes = 65_536;

/**
 * A `node:http` listener for a handler of the web's kind: `createServer(nodeListener(idempotent(handler, { store })))`.
 *
 * A caller who hangs up does not abort the handler: the work goes on and its answer is kept for the retry, which is
 * what the key was sent for.
 */
export function nodeListener(handler: Handler | IdempotentHandler, options: NodeListenerOptions = {}): NodeListener {
  const { onError = warn, scheme } = options;
  const serve = 'guard' in handler ? guarded(handler, scheme) : bare(handler, scheme);
  return async (incoming, outgoing) => {
    try {
      await serve(incoming, outgoing);
    } catch (error) {
      onError(error);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
    }
  };
}

function bare(handler: Handler, scheme: string | undefined): NodeListener {
  return async (incoming, outgoing) => {
    const small = declaredBytes(incoming) <= smallBytes;
    const body = small ? await bytesOf(incoming, smallBytes) : undefined;
    await send(await handler(toRequest(incoming, scheme, body)), outgoing);
  };
}

/** The same as `handler(request)`, but the body is read once and the answer's bytes are written as they are kept. */
function guarded({ guard, handler }: IdempotentHandler, scheme: string | undefined): NodeListener {
  const { options } = guard;
  const methods = new Set(options.methods);
  return async (incoming, outgoing) => {
    const method = incoming.method ?? 'GET';
    const watched = methods.has(method) && incoming.headers[options.header] !== undefined;
    const fits = watched || declaredBytes(incoming) <= smallBytes;
    const body = fits ? await bytesOf(incoming, watched ? options.maxBodyBytes : smallBytes) : undefined;
    const request = toRequest(incoming, scheme, body);
    const admission = await guard.admit({
      source: request,
      method,
      target: targetOf(incoming),
      header: (name) => headerOf(incoming, name),
      body: () => body,
    });
    switch (admission.kind) {
      case 'answer':
        return sendAnswer(admission.answer, outgoing);
      case 'pass':
        return send(await handler(request), outgoing, admission.headers);
      case 'run': {
        const done = await runHandler(handler, admission.run, request, options.maxAnswerBytes);
        if (done.kind === 'instead') return sendAnswer(done.answer, outgoing);
        const { response, body: read, headers } = done;
        if (!read.kept) return send(response, outgoing, headers, read.toSend as ReadableStream<Uint8Array>);
        outgoing.writeHead(response.status, response.statusText, flat(response.headers, headers, read.bytes, true));
        endWith(outgoing, isBodiless(response.status) ? null : read.bytes);
      }
    }
  };
}

/** What the request says it will send; infinite if it does not say, zero if it says that there is nothing. */
function declaredBytes(incoming: IncomingMessage): number {
  const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers;
  if (length !== undefined) return Number(length);
  return coding === undefined && incoming.httpVersionMajor < 2 ? 0 : Infinity;
}

/** The whole body, or `undefined` if it passes the limit; the rest is then left unread. */
async function bytesOf(incoming: IncomingMessage, limitBytes: number): Promise<Uint8Array | undefined> {
  const declared = declaredBytes(incoming);
  if (declared > limitBytes && declared !== Infinity) return undefined;
  if (declared === 0) return new Uint8Array();
  await Promise.resolve();
  const atHand = bodyAtHand(incoming);
  if (atHand) {
    // Nothing more comes but the end, and that is only heard of by a stream that flows.
    incoming.resume();
    return atHand;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const onData = (chunk: Uint8Array): void => {
      size += chunk.byteLength;
      if (size <= limitBytes) chunks.push(chunk);
      else done(undefined);
    };
    const onEnd = (): void => done(joined(chunks, size));
    const onClose = (): void => reject(new Error('the caller hung up before the body was complete'));
    // An error made for nobody would cost every request a stack trace, when its connection closes.
    const done = (bytes: Uint8Array | undefined): void => {
      incoming.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(bytes);
    };
    incoming.on('data', onData).once('end', onEnd).once('error', reject).once('close', onClose);
  });
}

function targetOf(incoming: IncomingMessage): string {
  const url = incoming.url ?? '/';
  if (url.startsWith('/')) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** All lines of a field, the key's twice-sent among them: Node drops the second of some. */
function headerOf(incoming: IncomingMessage, name: string): string | null {
  const value = incoming.headers[name];
  if (value === undefined) return null;
  return typeof value === 'string' ? value : value.join(', ');
}

function toRequest(incoming: IncomingMessage, scheme: string | undefined, body: Uint8Array | undefined): Request {
  const { rawHeaders, method = 'GET' } = incoming;
  const headers: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (!name.startsWith(':')) headers.push([name, rawHeaders[at + 1] as string]);
  }
  const usedScheme = scheme ?? ('encrypted' in incoming.socket ? 'https' : 'http');
  const host = incoming.headers.host ?? incoming.headers[':authority'] ?? 'localhost';
  const url = `${usedScheme}://${String(host)}${targetOf(incoming)}`;
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers });
  if (body) return new Request(url, { method, headers, body: body.byteLength > 0 ? (body as BodyInit) : null });
  const stream = Readable.toWeb(incoming) as unknown as ReadableStream<Uint8Array>;
  const init: RequestInit & { duplex: 'half' } = { method, headers, body: stream, duplex: 'half' };
  return new Request(url, init);
}

/** Names and values one after the other, as `writeHead` takes them. */
function flat(
  headers: Headers,
  more: readonly (readonly [string, string])[],
  body: Uint8Array | null,
  strip: boolean,
): string[] {
  const list: string[] = [];
  headers.forEach((value, name) => {
    if (name !== 'set-cookie' && !(strip && guardHeaders.includes(name))) list.push(name, value);
  });
  for (const cookie of headers.getSetCookie()) list.push('set-cookie', cookie);
  for (const [name, value] of more) list.push(name, value);
  if (body && !headers.has('content-length')) list.push('content-length', String(body.byteLength));
  return list;
}

function sendAnswer({ status, headers, body }: Answer, outgoing: ServerResponse): void {
  const list = headers.flatMap(([name, value]) => [name, value]);
  const bytes = isBodiless(status) ? null : body;
  if (!isBodiless(status)) list.push('content-length', String(bytes?.byteLength ?? 0));
  outgoing.writeHead(status, list);
  endWith(outgoing, bytes);
}

/** Ends with these bytes. Short ones go as text, one character a byte, which Node writes in one piece with the head. */
function endWith(outgoing: ServerResponse, bytes: Uint8Array | null): void {
  if (!bytes) outgoing.end();
  else if (bytes.byteLength > 4_096) outgoing.end(bytes);
  else outgoing.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'), 'latin1');
}

async function send(
  response: Response,
  outgoing: ServerResponse,
  more: readonly (readonly [string, string])[] = [],
  body: ReadableStream<Uint8Array> | null = response.body,
): Promise<void> {
  outgoing.writeHead(response.status, response.statusText, flat(response.headers, more, null, more.length > 0));
  if (!body) return void outgoing.end();
  const reader = body.getReader();
  outgoing.once('close', () => {
    // A caller who hung up ends the stream; a source that never ends would otherwise be read for ever.
    if (!outgoing.writableFinished) reader.cancel().catch(() => undefined);
  });
  for (;;) {
    const { done, value } = await reader.read();
    if (done || outgoing.destroyed) break;
    if (!outgoing.write(value)) await drained(outgoing);
  }
  outgoing.end();
}

/** Until the socket takes more, or is gone: a caller who hangs up must not leave the answer hanging. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    outgoing.once('drain', resolve);
    outgoing.once('close', resolve);
  });
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
