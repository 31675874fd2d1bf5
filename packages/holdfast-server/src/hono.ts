import type { Context, MiddlewareHandler } from 'hono';
import { createGuard } from './admission';
import type { Guard } from './admission';
import { guardHeaders, isBodiless, toResponse } from './answer';
import { isStream } from './keep-answer';
import { bodyMadeWith } from './light-response';
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
    const { status, headers } = res;
    const made = isStream(headers.get('content-type')) ? undefined : bodyMadeWith(res);
    // Bytes are copied: they are the handler's own, and what is kept must not change under its hands.
    const bytes = typeof made === 'string' ? encoder.encode(made) : made && made.slice();
    if (bytes !== undefined && (bytes?.byteLength ?? 0) <= guard.options.maxAnswerBytes) {
      const conclusion = await run.conclude({ status, headers, body: bytes, bodyKept: true });
      if (conclusion.kind === 'instead') return replaceResponse(c, toResponse(conclusion.answer));
      return mark(headers, conclusion.headers);
    }
    const body = await readBody(res, guard.options.maxAnswerBytes);
    const conclusion = await run.conclude({ status, headers, body: body.bytes, bodyKept: body.kept });
    if (conclusion.kind === 'instead') return replaceResponse(c, toResponse(conclusion.answer));
    const sent = new Headers(headers);
    mark(sent, conclusion.headers);
    const toSend = isBodiless(status) ? null : body.toSend;
    replaceResponse(c, new Response(toSend, { status, statusText: res.statusText, headers: sent }));
  };

  return Object.assign(middleware, { guard });
}

/** Takes off what only the guard may say, and says it. */
function mark(headers: Headers, more: readonly (readonly [string, string])[]): void {
  for (const name of guardHeaders) headers.delete(name);
  for (const [name, value] of more) headers.set(name, value);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Reads the body and leaves it where Hono looks first, so that `c.req.json()` and its like find it. `c.req.raw` is made
 * anew only for whoever asks for it.
 */
async function bodyOf(c: Context, limitBytes: number): Promise<Uint8Array | undefined> {
  const { raw } = c.req;
  const bytes = await boundedBody(raw, limitBytes);
  if (!bytes?.byteLength) return bytes;
  c.req.bodyCache.arrayBuffer = Promise.resolve(bytes.slice().buffer) as unknown as ArrayBuffer;
  // Assigned, and only `raw` defined: three definitions cost a request twice as much.
  Object.assign(c.req, { [source]: { raw, bytes }, json: jsonOf, text: textOf });
  Object.defineProperty(c.req, 'raw', fromBytes);
  return bytes;
}

const source = Symbol('the request as it came, and its bytes');

interface Sourced {
  readonly [source]: { readonly raw: Request; readonly bytes: Uint8Array; copy?: Request };
}

/**
 * One set of functions for all requests: see `LiveContext`. `json` and `text` are given as well because Hono's own ask for
 * `raw` first, even where they do not need it, and making that costs more than the guard.
 */
const fromBytes: PropertyDescriptor & ThisType<Sourced> = {
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

async function textOf(this: Sourced): Promise<string> {
  return decoder.decode(this[source].bytes);
}

async function jsonOf(this: Sourced): Promise<unknown> {
  return JSON.parse(decoder.decode(this[source].bytes));
}

/** Hono merges headers into a response it already has; ours has them all. */
function replaceResponse(c: Context, response: Response): void {
  c.res = undefined;
  c.res = response;
}
