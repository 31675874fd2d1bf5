import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that can go away and come back at the same address. */
export interface OnePort {
  /** Without a slash at the end. */
  readonly url: string;
  /** Cuts every connection; the port refuses until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** @param wish a port, or 0 for any that is free */
export async function onePort(listener: RequestListener, wish = 0): Promise<OnePort> {
  let port = wish;
  let server = createServer(listener);

  async function start(): Promise<void> {
    server = createServer(listener);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    port = (server.address() as AddressInfo).port;
  }

  await start();
  return {
    url: `http://localhost:${port}`,
    start,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
