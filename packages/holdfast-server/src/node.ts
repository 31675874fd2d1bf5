import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

export interface NodeListenerOptions {
  /** The scheme callers use, where a proxy ends TLS in front of this server. @default 'https' on a TLS socket, else 'http' */
  readonly scheme?: 'http' | 'https';
  /** Hears what the handler threw; the caller gets a bare 500. @default a warning of the process, with the stack */
  readonly onError?: (error: unknown) => void;
}

/**
 * A `node:http` listener for a handler of the web's kind: `createServer(nodeListener(idempotent(handler, { store })))`.
 *
 * A caller who hangs up does not abort the handler: the work goes on and its answer is kept for the retry, which is
 * what the key was sent for.
 */
export function nodeListener(
  handler: (request: Request) => Response | Promise<Response>,
  options: NodeListenerOptions = {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const onError = options.onError ?? warn;
  return async (incoming, outgoing) => {
    try {
      await send(await handler(toRequest(incoming, options.scheme)), outgoing);
    } catch (error) {
      onError(error);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
    }
  };
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}

function toRequest(incoming: IncomingMessage, scheme: string | undefined): Request {
  const headers = new Headers();
  const { rawHeaders } = incoming;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (!name.startsWith(':')) headers.append(name, rawHeaders[at + 1] as string);
  }
  const usedScheme = scheme ?? ('encrypted' in incoming.socket ? 'https' : 'http');
  const url = new URL(incoming.url ?? '/', `${usedScheme}://${incoming.headers.host ?? 'localhost'}`);
  const method = incoming.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const init: RequestInit & { duplex?: 'half' } = { method, headers };
  if (hasBody) Object.assign(init, { body: Readable.toWeb(incoming), duplex: 'half' });
  return new Request(url, init);
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const headers: Record<string, string | string[]> = {};
  response.headers.forEach((value, name) => {
    headers[name] = name === 'set-cookie' ? response.headers.getSetCookie() : value;
  });
  outgoing.writeHead(response.status, response.statusText || undefined, headers);
  if (!response.body) return void outgoing.end();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(chunk)) await drained(outgoing);
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
