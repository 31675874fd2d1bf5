import { createServer, type RequestListener, type Server } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';

export function listener(app: Hono<{ Bindings: HttpBindings }>): RequestListener {
  const handle = getRequestListener((request, bindings) => app.fetch(request, bindings), {
    overrideGlobalObjects: false,
  });
  return (incoming, outgoing) => void handle(incoming, outgoing);
}

/** Where the demo is reached, and how to end it. */
export interface Listening {
  readonly port: number;
  /** Cuts every connection, also those that hang. */
  close(): Promise<void>;
}

/**
 * Listens on this machine only, on both of its addresses, since browsers differ in which one `localhost` means.
 *
 * @param wish `port`: this one or none. `from`: this one, or the next free of the 50 after it. 0 is any.
 * @throws Error with code `EADDRINUSE` when there is none
 */
export async function listen(
  handler: RequestListener,
  wish: { readonly port: number } | { readonly from: number },
): Promise<Listening> {
  const first = 'port' in wish ? wish.port : wish.from;
  const last = 'port' in wish ? first : first + 50;
  for (let port = first; ; port++) {
    try {
      return await listenOn(handler, port);
    } catch (error) {
      if (!isTaken(error) || port >= last) throw error;
    }
  }
}

async function listenOn(handler: RequestListener, wish: number): Promise<Listening> {
  const four = await bind(handler, wish, '127.0.0.1');
  const address = four.address();
  const port = typeof address === 'object' && address ? address.port : wish;
  try {
    const six = await bind(handler, port, '::1');
    return { port, close: async () => void (await Promise.all([four, six].map(stop))) };
  } catch (error) {
    // Somebody else there would get half of the visitors; a machine without IPv6 has nobody there.
    if (!isTaken(error)) return { port, close: () => stop(four) };
    await stop(four);
    throw error;
  }
}

function bind(handler: RequestListener, port: number, host: string): Promise<Server> {
  const server = createServer(handler);
  return new Promise((bound, failed) => {
    server.once('error', failed);
    server.listen(port, host, () => bound(server));
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((stopped) => {
    server.close(() => stopped());
    server.closeAllConnections();
  });
}

export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
