import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createPeer, peerPath } from '../peer/peer.ts';
import type { RequestRecord } from '../peer/request-record.ts';

/** The small app and its API (`/__echo`) on one port for good. */
export interface ServedApp {
  readonly url: string;
  /** What the API received in this run, in order. */
  arrived(run: string): Promise<readonly RequestRecord[]>;
  /** Cuts every connection; the port refuses until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** @param headers sent with every file, such as a policy */
export async function serveApp(
  files: Iterable<readonly [path: string, content: string]>,
  headers: Readonly<Record<string, string>> = {},
): Promise<ServedApp> {
  const served = new Map(files);
  const api = createPeer();
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', 'http://app.invalid');
    if (pathname.startsWith(peerPath)) return void api(request, response).catch(() => response.destroy());
    const file = served.get(pathname);
    if (file === undefined) return void response.writeHead(404).end();
    const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8';
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store', ...headers }).end(file);
  }

  async function start(): Promise<void> {
    const mine = createServer(serve);
    mine.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      mine.once('error', reject);
      mine.listen(port, '127.0.0.1', resolve);
    });
    port = (mine.address() as AddressInfo).port;
    server = mine;
  }

  await start();
  const url = `http://localhost:${port}`;
  return {
    url,
    start,
    arrived: async (run) => (await (await fetch(`${url}${peerPath}/ledger?run=${run}`)).json()) as RequestRecord[],
    async stop() {
      const mine = server;
      server = undefined;
      if (!mine) return;
      const closed = new Promise((resolve) => mine.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
