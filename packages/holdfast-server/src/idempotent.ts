import { createGuard } from './admission';
import type { Guard, GuardStats, Incoming } from './admission';
import { bodyFor, toResponse } from './answer';
import { collect } from './decode';
import { readBody } from './read-answer';
import type { GuardOptions } from './options';
import type { Run, RunContext } from './run';
import { targetOf } from './scope';

/** A handler of the web's own kind. `context` is there when the request is guarded. */
export type Handler = (request: Request, context?: RunContext) => Response | Promise<Response>;

export type IdempotencyOptions = GuardOptions<Request>;

/** A guarded handler, and what can be asked of its guard. */
export interface IdempotentHandler {
  (request: Request): Promise<Response>;
  readonly guard: Guard<Request>;
  stats(): Promise<GuardStats>;
  sweep(limit?: number): Promise<number>;
}

/**
 * Wraps a handler so that requests with one `Idempotency-Key` have one effect and get one answer.
 *
 * Refusals are `application/problem+json`: 400 malformed or missing key, 422 another payload, 409 still in progress
 * (with `Retry-After`), outcome unknown, or expired, 413 too large, 503 store down. See `docs/wire.md`.
 *
 * @throws HoldfastServerError `bad-option`
 */
export function idempotent(handler: Handler, options: IdempotencyOptions): IdempotentHandler {
  const guard = createGuard(options);

  async function handle(request: Request): Promise<Response> {
    const incoming = incomingOf(request);
    const admission = await guard.admit(incoming);
    switch (admission.kind) {
      case 'answer':
        return toResponse(admission.answer);
      case 'pass':
        return withHeaders(await handler(incoming.forHandler()), admission.headers);
      case 'run':
        return answered(admission.run, incoming.forHandler());
    }
  }

  async function answered(run: Run, request: Request): Promise<Response> {
    let response: Response;
    let body;
    try {
      response = await handler(request, run.context);
      body = await readBody(response, guard.options.maxAnswerBytes);
    } catch (error) {
      const instead = await run.fail(error);
      if (instead) return toResponse(instead);
      throw error;
    }
    const { status, headers } = response;
    const conclusion = await run.conclude({ status, headers, body: body.bytes, bodyKept: body.kept });
    if (conclusion.kind === 'instead') return toResponse(conclusion.answer);
    return withHeaders(response, conclusion.headers, bodyFor(status, null) ?? body.toSend);
  }

  return Object.assign(handle, {
    guard,
    stats: () => guard.stats(),
    sweep: (limit?: number) => guard.sweep(limit),
  });
}

interface IncomingRequest extends Incoming<Request> {
  /** The request as the handler is to see it: its body unread. */
  forHandler(): Request;
}

function incomingOf(request: Request): IncomingRequest {
  let bytes: Uint8Array | undefined;
  return {
    source: request,
    method: request.method,
    target: targetOf(request.url),
    header: (name) => request.headers.get(name),
    async body(limitBytes) {
      if (request.body === null) return new Uint8Array();
      if (Number(request.headers.get('content-length') ?? 0) > limitBytes) return undefined;
      bytes = await collect(request.body, limitBytes);
      return bytes;
    },
    forHandler() {
      if (!bytes) return request;
      const { method, headers, signal } = request;
      return new Request(request.url, { method, headers, signal, body: bytes as BodyInit });
    },
  };
}

/** The response with more headers, and with a body in place of one that has been read. */
function withHeaders(
  response: Response,
  more: readonly (readonly [string, string])[],
  body: BodyInit | null = response.body,
): Response {
  if (more.length === 0 && body === response.body && !response.bodyUsed) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of more) headers.set(name, value);
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}
