import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { parse } from 'hono/utils/cookie';
import { idempotent } from 'holdfast-server';
import { sqliteStore } from 'holdfast-server/sqlite';
import { api } from './api';
import { breakThings, faultSwitch } from './break-things';
import { committer } from './commit';
import { control } from './control';
import { run, type Database } from './database';
import { cookieName, userOf } from './session';

/** Strict on purpose: the shell, the worker and the panel run under it. Photos not sent yet are shown from `blob:`. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' blob: data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export interface AppOptions {
  readonly db: Database;
  /** The built shell. */
  readonly shell: string;
  /** What `crash` does. @default SIGKILL to this process, so that nothing gets to clean up */
  readonly die?: () => void;
}

/** The whole demo behind one port: the API under its faults, the control doors, and the shell. */
export function app({ db, shell, die = () => process.kill(process.pid, 'SIGKILL') }: AppOptions): Hono<{
  Bindings: HttpBindings;
}> {
  const faults = faultSwitch();
  const store = sqliteStore({ database: db });
  const commit = committer(store, () => faults.crashing() && die());
  const endpoints = api(db, commit);
  const guarded = idempotent((request, context) => endpoints.fetch(request, { run: context }), {
    store,
    principal: (request) => userOf(db, parse(request.headers.get('cookie') ?? '', cookieName)[cookieName])?.id ?? null,
    // A run whose process died has written nothing (`commit` is one transaction), so another run does no harm.
    onUnknown: 'rerun',
    leaseMs: 5_000,
  });

  const whole = new Hono<{ Bindings: HttpBindings }>();
  whole.use('/api/*', breakThings(faults));
  whole.all('/api/*', (context) => guarded(context.req.raw));
  whole.route(
    '/',
    control(db, faults, () => run(db, 'DELETE FROM holdfast_keys')),
  );

  whole.use(async (context, next) => {
    await next();
    const hashed = context.req.path.startsWith('/assets/') && context.res.ok;
    context.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    context.header('content-security-policy', contentSecurityPolicy);
    context.header('x-content-type-options', 'nosniff');
    context.header('referrer-policy', 'same-origin');
  });
  whole.use(serveStatic({ root: shell }));
  whole.get('*', (context) =>
    context.req.header('sec-fetch-dest') === 'document' || context.req.header('accept')?.includes('text/html')
      ? context.html(readFileSync(join(shell, 'index.html'), 'utf8'))
      : context.notFound(),
  );
  return whole;
}
