import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { idempotent, memoryStore } from 'holdfast-server';
import { nodeListener } from 'holdfast-server/node';
import type { Note } from './notes/notes.ts';

/** A site with the notes' API: its files and `/api/notes`. */
export interface NotesSite {
  readonly url: string;
  /** What the API has, in the order it came. */
  readonly notes: readonly Note[];
  /** While down, the API cuts every connection; the files are served all the same. */
  down(isDown: boolean): void;
  /** Cuts every connection; the port refuses until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.webmanifest': 'application/manifest+json',
};

/** @param files by path; `/` is `/index.html` */
export async function notesSite(files: ReadonlyMap<string, string>, wish = 0): Promise<NotesSite> {
  const notes: Note[] = [];
  let isDown = false;
  let port = wish;

  const api = nodeListener(
    idempotent(
      async (request) => {
        if (request.method === 'GET') return Response.json(notes);
        const note = (await request.json()) as Note;
        if (note.text === '') return Response.json({ title: 'A note needs a text.' }, { status: 422 });
        notes.push(note);
        return Response.json(note, { status: 201 });
      },
      { store: memoryStore() },
    ),
  );

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', 'http://site.invalid');
    if (pathname.startsWith('/api/')) return isDown ? void request.socket.destroy() : void api(request, response);
    const file = files.get(pathname === '/' ? '/index.html' : pathname);
    response.setHeader('Cache-Control', 'no-store');
    if (file === undefined) return void response.writeHead(404).end();
    response.setHeader('Content-Type', types[extname(pathname)] ?? 'text/html; charset=utf-8');
    response.end(file);
  }

  let server = createServer(serve);
  async function start(): Promise<void> {
    server = createServer(serve);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    port = (server.address() as AddressInfo).port;
  }
  await start();
  return {
    url: `http://localhost:${port}/`,
    notes,
    down: (now) => void (isDown = now),
    start,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
