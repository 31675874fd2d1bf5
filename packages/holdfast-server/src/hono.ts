import type { Context, MiddlewareHandler } from 'hono';
import { createGuard } from './admission';
import type { Guard } from './admission';
import { guardHeaders, isBodiless, toResponse } from './answer';
import type { GuardOptions } from './options';
import { readBody } from './read-answer';
import { boundedBody, refilled } from './refill';
import type { RunContext } from './run-context';
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
    const { raw } = c.req;
    const admission = await guard.admit({
      source: c,
      method: c.req.method,
      target: targetOf(c.req.url),
      header: (name) => raw.headers.get(name),
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
      // The app's error handler has answered already; only a lost lease has an answer of its own.
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
    for (const name of guardHeaders) sent.delete(name);
    for (const [name, value] of conclusion.headers) sent.set(name, value);
    const toSend = isBodiless(status) ? null : body.toSend;
    replaceResponse(c, new Response(toSend, { status, statusText: res.statusText, headers: sent }));
  };

  return Object.assign(middleware, { guard });
}

const decoder = new TextDecoder();

/**
 * Reads the body and leaves it where Hono looks first, so that `c.req.json()` and its like find it. `c.req.raw` is made
 * anew only for whoever asks for it.
 */
async function bodyOf(c: Context, limitBytes: number): Promise<Uint8Array | undefined> {
  const { raw } = c.req;
  const bytes = await boundedBody(raw, limitBytes);
  if (!bytes?.byteLength) return bytes;
  if (/^(?:application\/json|text\/|[^;]*\+json)/i.test(raw.headers.get('content-type') ?? '')) {
    const text = Promise.resolve(decoder.decode(bytes));
    c.req.bodyCache.text = text as unknown as string;
  }
  c.req.bodyCache.arrayBuffer = Promise.resolve(bytes.slice().buffer) as unknown as ArrayBuffer;
  Object.defineProperty(c.req, source, { value: { raw, bytes } });
  Object.defineProperty(c.req, 'raw', lazyRaw);
  return bytes;
}

const source = Symbol('the request as it came, and its bytes');

interface Sourced {
  readonly [source]: { readonly raw: Request; readonly bytes: Uint8Array; copy?: Request };
}

/** One pair of functions for all requests: see `LiveContext`. */
const lazyRaw: PropertyDescriptor & ThisType<Sourced> = {
  configurable: true,
  enumerable: true,
  get() {
    const held = this[source];
    return (held.copy ??= refilled(held.raw, held.bytes));
  },
  set(request: Request) {
    this[source].copy = request;
  },
};

/** Hono merges headers into a response it already has; ours has them all. */
function replaceResponse(c: Context, response: Response): void {
  c.res = undefined;
  c.res = response;
}
