import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createPeer } from './peer.ts';

export interface RunningPeer {
  /** `http://localhost:PORT`, another origin than the page under test. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and cuts every connection: from now on the port refuses. */
  stop(): Promise<void>;
}

/** Starts a peer on a port of its own. @param port the one to use again after a stop; 0 takes any free one */
export async function startPeer(port = 0): Promise<RunningPeer> {
  const peer = createPeer();
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    // A client that goes away while we read leaves nobody to answer.
    peer(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, 'localhost', resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://localhost:${bound}`,
    port: bound,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
