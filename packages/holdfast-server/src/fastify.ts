import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import { createGuard } from './admission';
import type { Guard } from './admission';
import { guardHeaders, isBodiless } from './answer';
import { joined } from './collect';
import { isStream } from './keep-answer';
import { readAndPutBack } from './node-body';
import { nodeFields } from './node-fields';
import type { GuardOptions } from './options';
import type { Run } from './run';
import type { RunContext } from './run-context';

declare module 'fastify' {
  interface FastifyRequest {
    /** The claim this request runs under; `undefined` if it was sent without a key. */
    idempotency: RunContext | undefined;
  }
}

/** A Fastify plugin, and the guard behind it. */
export type FastifyIdempotency = FastifyPluginCallback & { readonly guard: Guard<FastifyRequest> };

/**
 * The guard as a Fastify plugin: `app.register(idempotency({ store, principal: (request) => request.user.id }))`. It
 * guards every route registered after it in the same scope. The caller must be known by then: authenticate in `onRequest`.
 *
 * @throws HoldfastServerError `bad-option`
 */
export function idempotency(options: GuardOptions<FastifyRequest>): FastifyIdempotency {
  const guard = createGuard(options);

  const plugin: FastifyPluginCallback = (app, _, done) => {
    app.decorateRequest('idempotency', undefined);
    app.decorateRequest(running, undefined);

    app.addHook('preParsing', async (request, reply, payload) => {
      let bytes: Uint8Array | undefined;
      const admission = await guard.admit({
        source: request,
        method: request.method,
        target: request.originalUrl,
        header: (name) => fieldOf(request, name),
        async body(limitBytes) {
          if (payload === request.raw && payload instanceof IncomingMessage) return readAndPutBack(payload, limitBytes);
          // Another hook has put a stream of its own in its place.
          bytes = await read(payload, limitBytes, Number(request.headers['content-length'] ?? 0));
          return bytes;
        },
      });
      if (admission.kind === 'answer') {
        const { status, headers, body } = admission.answer;
        for (const [name, value] of headers) reply.header(name, value);
        return reply.code(status).send(isBodiless(status) || body === null ? undefined : Buffer.from(body));
      }
      if (admission.kind === 'pass') {
        for (const [name, value] of admission.headers) reply.header(name, value);
      } else {
        (request as Running)[running] = admission.run;
        request.idempotency = admission.run.context;
      }
      if (!bytes) return payload;
      return Object.assign(Readable.from([bytes]), { receivedEncodedLength: bytes.byteLength });
    });

    app.addHook('onSend', async (request, reply, payload) => {
      const run = (request as Running)[running];
      if (!run) return payload;
      (request as Running)[running] = undefined;
      const taken = await take(payload, String(reply.getHeader('content-type') ?? ''), guard.options.maxAnswerBytes);
      const { bytes, kept, toSend } = taken;
      const conclusion = await run.conclude({
        status: reply.statusCode,
        headers: nodeFields(reply.getHeaders()),
        body: bytes,
        bodyKept: kept,
      });
      if (conclusion.kind === 'instead') {
        for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
        for (const [name, value] of conclusion.answer.headers) reply.header(name, value);
        reply.code(conclusion.answer.status);
        return Buffer.from(conclusion.answer.body ?? new Uint8Array());
      }
      for (const name of guardHeaders) reply.removeHeader(name);
      for (const [name, value] of conclusion.headers) reply.header(name, value);
      return toSend;
    });

    // A reply that was hijacked never comes to `onSend`; what became of it is not known.
    app.addHook('onResponse', (request, _reply, next) => {
      (request as Running)[running]?.abandon();
      next();
    });
    done();
  };

  // Without this mark the hooks would hold in a scope of their own, where there are no routes.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true, guard });
}

/** Where a request keeps its run. A map of requests would do, but collecting one costs more than all the rest. */
const running = Symbol('the run of this request');

type Running = FastifyRequest & { [running]?: Run | undefined };

function fieldOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return value === undefined ? null : typeof value === 'string' ? value : value.join(', ');
}

async function read(
  stream: AsyncIterable<unknown>,
  limitBytes: number,
  declared: number,
): Promise<Uint8Array | undefined> {
  if (declared > limitBytes) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk as Uint8Array);
    size += (chunk as Uint8Array).byteLength;
    if (size > limitBytes) return undefined;
  }
  return joined(chunks, size);
}

interface Taken {
  readonly bytes: Uint8Array | null;
  readonly kept: boolean;
  readonly toSend: unknown;
}

/** What Fastify is about to send: text, bytes, nothing, or a stream that is read as far as may be. */
async function take(payload: unknown, contentType: string, maxBytes: number): Promise<Taken> {
  if (payload === null || payload === undefined) return { bytes: null, kept: true, toSend: payload };
  if (typeof payload === 'string' || payload instanceof Uint8Array) {
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    const kept = bytes.byteLength <= maxBytes;
    return { bytes: kept ? bytes : null, kept, toSend: payload };
  }
  if (!(payload instanceof Readable) || isStream(contentType)) return { bytes: null, kept: false, toSend: payload };
  const chunks: Uint8Array[] = [];
  let size = 0;
  const source = payload[Symbol.asyncIterator]() as AsyncIterator<Uint8Array | string>;
  for (;;) {
    const next = await source.next();
    if (next.done) break;
    const chunk = typeof next.value === 'string' ? Buffer.from(next.value) : next.value;
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > maxBytes) return { bytes: null, kept: false, toSend: Readable.from(resumed(chunks, source)) };
  }
  const bytes = joined(chunks, size);
  return { bytes, kept: true, toSend: Buffer.from(bytes) };
}

async function* resumed(
  early: readonly Uint8Array[],
  source: AsyncIterator<Uint8Array | string>,
): AsyncGenerator<Uint8Array | string> {
  yield* early;
  for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
}
