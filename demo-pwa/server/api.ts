import { HoldfastServerError, jsonAnswer, plainAnswer, type RunContext } from 'holdfast-server';
import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { User } from '../wire';
import type { Commit } from './commit';
import type { Database } from './database';
import { deleteNote, etag, found, notes, putNote, readDraft, type Precondition } from './notes';
import { addPhoto, deletePhoto, photoBytes, readPhotos } from './photos';
import { Problem, problemResponse } from './problem';
import { cookieName, signedOut, signIn, signOut, userOf, users } from './session';
import { sites } from './sites';

type Env = { Bindings: { run?: RunContext | undefined }; Variables: { user: User } };

/** The round's API. Writes go through `commit`, which gives each one its transaction and its line in the ledger. */
export function api(db: Database, commit: Commit): Hono<Env> {
  const app = new Hono<Env>().basePath('/api');
  const cookie = { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 30 * 86_400 } as const;

  app.get('/session', (context) => {
    const token = getCookie(context, cookieName);
    const user = userOf(db, token);
    if (token === undefined && user) setCookie(context, cookieName, signIn(db, user, Date.now()), cookie);
    const ended = !user && token !== signedOut;
    return context.json({ user, users, ended }, 200, { 'cache-control': 'no-store' });
  });

  app.post('/session', async (context) => {
    const { userId } = await json<{ userId?: unknown }>(context.req.raw);
    const user = users.find(({ id }) => id === userId);
    if (!user)
      throw new Problem(400, 'Unknown inspector', `userId must be one of ${users.map(({ id }) => id).join(', ')}.`);
    signOut(db, getCookie(context, cookieName));
    setCookie(context, cookieName, signIn(db, user, Date.now()), cookie);
    return context.json({ user, users, ended: false });
  });

  app.delete('/session', (context) => {
    signOut(db, getCookie(context, cookieName));
    setCookie(context, cookieName, signedOut, cookie);
    return context.json({ user: null, users, ended: false });
  });

  app.use(async (context, next) => {
    const user = userOf(db, getCookie(context, cookieName));
    if (!user) throw new Problem(401, 'Sign in first', 'Nobody is signed in, or the session has ended.');
    context.set('user', user);
    return next();
  });

  app.get('/sites', (context) => context.json(sites, 200, { 'cache-control': 'no-cache' }));

  app.get('/notes', (context) => context.json(notes(db), 200, { 'cache-control': 'no-cache' }));

  app.get('/notes/:id', (context) => {
    const note = found(db, context.req.param('id'));
    return context.json(note, 200, { etag: etag(note), 'cache-control': 'no-cache' });
  });

  app.post('/notes', async (context) => {
    const body = await json<{ id?: unknown }>(context.req.raw);
    const draft = readDraft(body, Date.now());
    const id = body.id === undefined ? crypto.randomUUID() : readId(body.id);
    return commit(context.req.raw, context.get('user').id, context.env.run, (deed) => {
      const note = putNote(db, id, draft, { ifMatch: null, ifNoneMatch: '*' }, deed);
      return jsonAnswer(note, { status: 201, headers: { etag: etag(note), location: `/api/notes/${id}` } });
    });
  });

  app.put('/notes/:id', async (context) => {
    const id = readId(context.req.param('id'));
    const draft = readDraft(await json(context.req.raw), Date.now());
    return commit(context.req.raw, context.get('user').id, context.env.run, (deed) => {
      const note = putNote(db, id, draft, demands(context.req.raw), deed);
      return jsonAnswer(note, { status: note.version === 1 ? 201 : 200, headers: { etag: etag(note) } });
    });
  });

  app.delete('/notes/:id', (context) => {
    const id = readId(context.req.param('id'));
    return commit(context.req.raw, context.get('user').id, context.env.run, (deed) => {
      deleteNote(db, id, demands(context.req.raw), deed);
      return plainAnswer(204, [], null);
    });
  });

  app.post('/notes/:id/photos', async (context) => {
    const noteId = readId(context.req.param('id'));
    const chosen = context.req.query('id');
    const form = await context.req.raw.formData().catch((cause: unknown) => {
      throw new Problem(400, 'No form', `A photo comes as multipart/form-data: ${String(cause)}`);
    });
    const photos = await readPhotos(form, chosen === undefined ? crypto.randomUUID() : readId(chosen));
    return commit(context.req.raw, context.get('user').id, context.env.run, (deed) => {
      for (const photo of photos) addPhoto(db, noteId, photo, deed);
      const added = found(db, noteId).photos.filter(({ id }) => photos.some((photo) => photo.id === id));
      return jsonAnswer(added, { status: 201 });
    });
  });

  app.delete('/notes/:id/photos/:photo', (context) => {
    const { id, photo } = context.req.param();
    return commit(context.req.raw, context.get('user').id, context.env.run, (deed) => {
      deletePhoto(db, id, photo, deed);
      return plainAnswer(204, [], null);
    });
  });

  app.get('/photos/:id', (context) => {
    const photo = photoBytes(db, context.req.param('id'));
    if (!photo) throw new Problem(404, 'No such photo', `There is no photo ${context.req.param('id')}.`);
    const { type, bytes, digest } = photo;
    // A photo never changes under its id. `sandbox`, because an SVG opened by itself would be a page of ours.
    return context.body(bytes, 200, {
      'content-type': type,
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      etag: `"${digest}"`,
    });
  });

  app.notFound((context) => {
    throw new Problem(404, 'No such door', `${context.req.method} ${context.req.path} is not part of this API.`);
  });
  app.onError((error) => {
    if (error instanceof Problem) return problemResponse(error);
    // The guard's own: it knows what to answer.
    if (error instanceof HoldfastServerError) throw error;
    console.error(error);
    return problemResponse(new Problem(500, 'Unexpected', 'This API failed; its terminal says why.'));
  });
  return app;
}

function demands(request: Request): Precondition {
  return { ifMatch: request.headers.get('if-match'), ifNoneMatch: request.headers.get('if-none-match') };
}

/** @throws Problem 400 for an id that is no plain token */
function readId(id: unknown): string {
  if (typeof id === 'string' && /^[\w-]{1,64}$/.test(id)) return id;
  throw new Problem(400, 'Bad id', 'An id has 1 to 64 letters, digits, "-" or "_"; a UUID is a good one.');
}

async function json<Shape extends object>(request: Request): Promise<Partial<Shape>> {
  const body = (await request.json().catch(() => null)) as unknown;
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new Problem(400, 'No JSON', 'The body must be a JSON object.');
}
