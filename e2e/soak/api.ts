import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site and an API that takes everything once for each key, and remembers in which order. */
export interface SoakApi {
  readonly url: string;
  /** How many writes arrived. */
  arrived(): number;
  /** How often one came again under its key, and was not done again: what a worker had not written down when it was ended. */
  repeated(): number;
  /** What is wrong with them: one that came under two keys, one of a lane that came before an earlier one. */
  faults(): readonly string[];
  close(): void;
}

/** @param files path to content */
export async function startSoakApi(files: Readonly<Record<string, string>>): Promise<SoakApi> {
  const seen = new Map<number, string>();
  let repeated = 0;
  const last = new Map<string, number>();
  const faults: string[] = [];

  async function take(request: IncomingMessage): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { nth } = JSON.parse(text) as { nth: number };
    const lane = request.url ?? '';
    const key = String(request.headers['idempotency-key']);
    const before = seen.get(nth);
    if (before === key) {
      repeated += 1;
      return;
    }
    if (before !== undefined) faults.push(`${nth} came under two keys`);
    seen.set(nth, key);
    if (lane === '/api/loose') return;
    if (nth < (last.get(lane) ?? -1)) faults.push(`${nth} came after ${last.get(lane)} in ${lane}`);
    last.set(lane, nth);
  }

  const server = createServer((request, response) => {
    const { url = '/' } = request;
    if (url.startsWith('/api/')) {
      void take(request).then(() => response.writeHead(201, { 'content-type': 'application/json' }).end('{}'));
      return;
    }
    const file = files[url.replace(/\?.*/, '')];
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8';
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type }).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    arrived: () => seen.size,
    repeated: () => repeated,
    faults: () => faults,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
