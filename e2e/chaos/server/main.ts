import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { diceOf } from '../dice.ts';
import { html, portal, suffer } from './suffer.ts';
import { fair, type Weather } from './weather.ts';
import { work } from './work.ts';

/*
 * The API in a process of its own: `main.ts PORT DATABASE SEED`. What goes wrong is told by the parent, message by message;
 * the ledger is asked for the same way, so that no fault touches it.
 */

export type ToServer =
  | { readonly do: 'serve'; readonly files: Readonly<Record<string, string>> }
  | { readonly do: 'weather'; readonly weather: Weather }
  | { readonly do: 'open' | 'shut' | 'ledger' | 'count' };

const [port = '', path = '', seed = '0'] = process.argv.slice(2);
const dice = diceOf(Number(seed));
const { api, ledger, count } = work(path);
const sockets = new Set<Socket>();
let files: Readonly<Record<string, string>> = {};
let weather: Weather = fair;
let server: Server | undefined;

function serve(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', 'http://chaos.invalid');
  if (pathname.startsWith('/api/')) {
    const met = suffer(dice.weighed(weather), api, request, response, dice.between(100, 1_200));
    return void met.catch(() => response.destroy());
  }
  const file = pathname === '/portal' ? portal : files[pathname];
  if (file === undefined) return void response.writeHead(404).end();
  const type = pathname.endsWith('.js') ? { 'content-type': 'text/javascript' } : {};
  response.writeHead(200, { ...html, ...type, 'service-worker-allowed': '/' }).end(file);
}

async function open(): Promise<void> {
  if (server) return;
  const mine = createServer(serve);
  mine.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    mine.once('error', reject).listen(Number(port), '127.0.0.1', resolve);
  });
  server = mine;
}

async function shut(): Promise<void> {
  const mine = server;
  server = undefined;
  if (!mine) return;
  const closed = new Promise((resolve) => mine.close(resolve));
  for (const socket of sockets) socket.resetAndDestroy();
  await closed;
}

async function obey(message: ToServer): Promise<unknown> {
  switch (message.do) {
    case 'serve':
      files = message.files;
      return null;
    case 'weather':
      weather = message.weather;
      return null;
    case 'open':
      return open();
    case 'shut':
      return shut();
    case 'ledger':
      return ledger();
    case 'count':
      return count();
  }
}

process.on('message', ({ id, message }: { id: number; message: ToServer }) => {
  void obey(message).then(
    (value) => process.send?.({ id, value }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ id: 0 });
