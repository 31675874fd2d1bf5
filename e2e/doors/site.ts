import type { RequestListener } from 'node:http';
import { idempotent, memoryStore } from 'holdfast-server';
import { nodeListener } from 'holdfast-server/node';
import { sendFile } from '../peer/files.ts';
import { onePort, type OnePort } from '../peer/one-port.ts';
import type { Note } from './notes/notes.ts';

/** A site with the notes' API: its files and `/api/notes`. */
export interface NotesSite extends OnePort {
  /** What the API has, in the order it came. */
  readonly notes: readonly Note[];
  /** While down, the API cuts every connection; the files are served all the same. */
  down(isDown: boolean): void;
}

/** @param files by path; `/` is `/index.html` */
export async function notesSite(files: ReadonlyMap<string, string>, wish = 0): Promise<NotesSite> {
  const notes: Note[] = [];
  let isDown = false;

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

  const serve: RequestListener = (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site.invalid');
    if (!pathname.startsWith('/api/')) return sendFile(files, pathname === '/' ? '/index.html' : pathname, response);
    if (isDown) request.socket.destroy();
    else void api(request, response);
  };

  const port = await onePort(serve, wish);
  return { ...port, url: `${port.url}/`, notes, down: (now) => void (isDown = now) };
}
