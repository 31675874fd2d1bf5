import type { Context, MiddlewareHandler } from 'hono';
import { createGuard } from './admission';
import type { Guard } from './admission';
import { bodyFor, toResponse } from './answer';
import { collect } from './decode';
import type { GuardOptions } from './options';
import { readBody } from './read-answer';
import type { RunContext } from './run';
import { targetOf } from './scope';

declare module 'hono' {
  interface ContextVariableMap {
    /** The claim this request runs under; `undefined` if it was sent without a key. */
    idempotency: RunContext | undefined;
  }
}

/** A Hono middleware, and the guard behind it. */
export type HonoIdempotency = MiddlewareHandler & { readonly guard: Guard<Context> };

/**
 * The guard as Hono middleware: `app.use('/orders', idempotency({ store, principal: (c) => c.get('user').id }))`.
 * Put it after the middleware that knows the caller and answers CORS; handlers find their claim in `c.get('idempotency')`.
 *
 * @throws HoldfastServerError `bad-option`
 */
export function idempotency(options: GuardOptions<Context>): HonoIdempotency {
  const guard = createGuard(options);

  const middleware: MiddlewareHandler = async (c, next) => {
    const admission = await guard.admit({
      source: c,
      method: c.req.method,
      target: targetOf(c.req.url),
      header: (name) => c.req.raw.headers.get(name),
      body: (limitBytes) => bodyOf(c, limitBytes),
    });
    if (admission.kind === 'answer') return toResponse(admission.answer);
    if (admission.kind === 'pass') {
      await next();
      for (const [name, value] of admission.headers) c.res.headers.set(name, value);
      return;
    }

    const { run } = admission;
    c.set('idempotency', run.context);
    await next();
    if (c.error) {
      // The app's error handler has answered; what it says of a lost lease is not for this caller to see.
      const instead = await run.fail(c.error);
      if (instead) replaceResponse(c, toResponse(instead));
      return;
    }
    const { res } = c;
    const body = await readBody(res, guard.options.maxAnswerBytes);
    const { status, headers } = res;
    const conclusion = await run.conclude({ status, headers, body: body.bytes, bodyKept: body.kept });
    if (conclusion.kind === 'instead') return replaceResponse(c, toResponse(conclusion.answer));
    const sent = new Headers(headers);
    for (const [name, value] of conclusion.headers) sent.set(name, value);
    const toSend = body.kept ? bodyFor(status, body.bytes) : body.toSend;
    replaceResponse(c, new Response(toSend, { status, statusText: res.statusText, headers: sent }));
  };

  return Object.assign(middleware, { guard });
}

/** Reads the body through Hono where it fits, so that `c.req.json()` and the like still find it afterwards. */
async function bodyOf(c: Context, limitBytes: number): Promise<Uint8Array | undefined> {
  const declared = c.req.header('content-length');
  if (declared !== undefined) {
    if (Number(declared) > limitBytes) return undefined;
  }
  const { raw } = c.req;
  if (raw.body === null) return new Uint8Array();
  const bytes = await collect(raw.body, limitBytes);
  if (!bytes) return undefined;
  const { method, headers, signal, url } = raw;
  c.req.raw = new Request(url, { method, headers, signal, body: bytes as BodyInit });
  return bytes;
}

/** Hono merges headers into a response it already has; ours has them all. */
function replaceResponse(c: Context, response: Response): void {
  c.res = undefined;
  c.res = response;
}
