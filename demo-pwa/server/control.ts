import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { FaultSwitch } from './break-things';
import { atomically, count, run, type Database } from './database';
import { noFaults, readFaults } from './faults';
import { ledger } from './ledger';
import { notes, putNote } from './notes';
import { Problem, problemResponse } from './problem';
import { endAllSessions } from './session';

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/**
 * The doors through which people and tests break things: `/__faults`, `/__ledger`, `/__reset` and kin. Only for this
 * machine; `Host` is looked at too, so that a page of another name that resolves to this machine gets nothing.
 */
export function control(db: Database, faults: FaultSwitch, forgetKeys: () => void): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();

  app.use('/__*', async (context, next) => {
    if (context.req.path === '/__portal') return next();
    const host = (context.req.header('host') ?? '').replace(/:\d+$/, '');
    const here = loopback.has(context.env.incoming.socket.remoteAddress ?? '');
    if (!here || !['localhost', '127.0.0.1', '[::1]'].includes(host)) {
      throw new Problem(403, 'Only from this machine', 'Open the demo as http://localhost to break things.');
    }
    await next();
    context.header('cache-control', 'no-store');
  });

  app.get('/__faults', (context) => context.json(faults.get()));
  app.put('/__faults', async (context) => {
    faults.set(readFaults(await context.req.json().catch(() => null)));
    return context.json(faults.get());
  });

  app.get('/__ledger', (context) => context.json(ledger(db, Number(context.req.query('after') ?? 0))));
  app.delete('/__ledger', (context) => {
    run(db, 'DELETE FROM ledger');
    return context.body(null, 204);
  });

  /** Everything as on the first day, also the modes; whoever is signed in stays so. */
  app.post('/__reset', (context) => {
    faults.set(noFaults);
    atomically(db, () => {
      for (const table of ['photos', 'notes', 'ledger']) run(db, `DELETE FROM ${table}`);
      run(db, "DELETE FROM sqlite_sequence WHERE name = 'ledger'");
      forgetKeys();
    });
    return context.body(null, 204);
  });

  /** A colleague, on another device, changes the note changed last (or the named one): a conflict for who edits it offline. */
  app.post('/__colleague', async (context) => {
    const wish = (await context.req.json().catch(() => ({}))) as { readonly noteId?: unknown };
    const all = notes(db);
    const target =
      wish.noteId === undefined
        ? all.toSorted((a, b) => b.updatedAt - a.updatedAt)[0]
        : all.find(({ id }) => id === wish.noteId);
    if (!target) throw new Problem(404, 'Nothing to change', 'There is no such record on the server yet.');
    const deed = { key: null, method: 'PUT', path: `/api/notes/${target.id}`, user: 'colleague', at: Date.now() };
    const draft = {
      ...target,
      text: `${target.text}\n— Seen again from the quay.`.trim(),
      rating: Math.max(1, target.rating - 1),
    };
    return context.json(
      atomically(db, () => putNote(db, target.id, draft, { ifMatch: null, ifNoneMatch: null }, deed)),
    );
  });

  /** Ends every session, as a server does that restarts without them. */
  app.delete('/__sessions', (context) => context.json({ ended: endAllSessions(db) }));

  app.get('/__counts', (context) =>
    context.json({ notes: count(db, 'notes'), photos: count(db, 'photos'), ledger: count(db, 'ledger') }),
  );

  // A portal answers whatever it is asked, also what was redirected with its method.
  app.all('/__portal', (context) =>
    context.html(
      '<!doctype html><html lang="en"><meta charset="utf-8"><title>Harbour Café Wi-Fi</title><h1>Welcome aboard</h1>' +
        '<p>Please accept our terms to use this network.</p></html>',
    ),
  );

  app.onError((error) => {
    if (error instanceof Problem) return problemResponse(error);
    throw error;
  });
  return app;
}
