import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Told } from './intent.ts';

/** Hears from pages what they were told, on a port of its own: it remembers what a killed browser cannot. */
export interface ToldLog {
  readonly url: string;
  readonly told: readonly Told[];
  /** How many pages were told that the browser had removed what was stored. */
  evictions(): number;
  close(): Promise<void>;
}

/** Where a page reports that. */
const evictedPath = '/evicted';

export async function startToldLog(): Promise<ToldLog> {
  const told: Told[] = [];
  let evictions = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      if (request.url === evictedPath) evictions += 1;
      else if (request.method === 'POST') told.push(...(JSON.parse(text) as Told[]));
      response.writeHead(204, { 'access-control-allow-origin': '*' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    told,
    evictions: () => evictions,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
