import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { extname } from 'node:path';
import { createPeer, peerPath } from '../peer/peer.ts';
import type { RequestRecord } from '../peer/request-record.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

/** A small site on one port for good: files from memory, and an API (`/__echo/…`) that remembers what arrived. */
export interface Site {
  readonly url: string;
  /** What is served; change it, and the next visit gets the new release. */
  readonly files: Map<string, string>;
  /** What the API received in this run, in order. */
  arrived(run: string): Promise<readonly RequestRecord[]>;
  /** While silent, the API takes what comes and never answers. */
  silence(silent: boolean): void;
  /** Cuts every connection; the port refuses until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const page = '<!doctype html><meta charset="utf-8"><title>Site</title><link rel="icon" href="data:,">';

export async function startSite(files: Iterable<readonly [string, string]> = []): Promise<Site> {
  const served = new Map<string, string>([['/', page], ...files]);
  const api = createPeer();
  let server: Server | undefined;
  let sockets = new Set<Socket>();
  let port = 0;
  let silent = false;

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', 'http://site.invalid');
    if (pathname.startsWith(peerPath)) {
      if (silent && request.method !== 'GET') request.url = `${request.url ?? ''}&mode=hang`;
      return void api(request, response).catch(() => response.destroy());
    }
    const file = served.get(pathname);
    response.setHeader('Cache-Control', 'no-store');
    if (file === undefined) return void response.writeHead(404).end();
    response.setHeader('Content-Type', types[extname(pathname)] ?? 'text/html; charset=utf-8');
    response.end(file);
  }

  async function start(): Promise<void> {
    const mine = createServer(serve);
    sockets = new Set();
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
    files: served,
    start,
    silence: (now) => void (silent = now),
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
