import { createGuard } from './admission';
import type { Guard, GuardStats, Incoming } from './admission';
import { guardHeaders, isBodiless, toResponse } from './answer';
import type { Answer } from './answer';
import type { GuardOptions } from './options';
import { readBody } from './read-answer';
import type { ReadBody } from './read-answer';
import { boundedBody, refilled } from './refill';
import type { Run } from './run';
import type { RunContext } from './run-context';
import { targetOf } from './scope';

/** A handler of the web's own kind. `context` is there when the request is guarded. */
export type Handler = (request: Request, context?: RunContext) => Response | Promise<Response>;

export type IdempotencyOptions = GuardOptions<Request>;

/** A guarded handler, and what can be asked of its guard. */
export interface IdempotentHandler {
  (request: Request): Promise<Response>;
  /** What it guards, for adapters that have the body's bytes already. */
  readonly handler: Handler;
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
      case 'pass': {
        const response = await handler(incoming.forHandler());
        return admission.headers.length === 0 ? response : withHeaders(response, admission.headers, response.body);
      }
      case 'run': {
        const done = await runHandler(handler, admission.run, incoming.forHandler(), guard.options.maxAnswerBytes);
        if (done.kind === 'instead') return toResponse(done.answer);
        const { response, headers, body } = done;
        return withHeaders(response, headers, isBodiless(response.status) ? null : body.toSend);
      }
    }
  }

  return Object.assign(handle, {
    handler,
    guard,
    stats: () => guard.stats(),
    sweep: (limit?: number) => guard.sweep(limit),
  });
}

/** A run that is over: the handler's response with its body read, and headers to add; or another answer. */
export type DoneRun =
  | {
      readonly kind: 'own';
      readonly response: Response;
      readonly body: ReadBody;
      readonly headers: readonly (readonly [string, string])[];
    }
  | { readonly kind: 'instead'; readonly answer: Answer };

/** Runs the handler and tells the run how it went. @throws whatever the handler throws */
export async function runHandler(
  handler: Handler,
  run: Run,
  request: Request,
  maxAnswerBytes: number,
): Promise<DoneRun> {
  let response: Response;
  let body: ReadBody;
  try {
    response = await handler(request, run.context);
    body = await readBody(response, maxAnswerBytes);
  } catch (error) {
    const instead = await run.fail(error);
    if (instead) return { kind: 'instead', answer: instead };
    throw error;
  }
  const { status, headers } = response;
  const conclusion = await run.conclude({ status, headers, body: body.bytes, bodyKept: body.kept });
  return conclusion.kind === 'instead' ? conclusion : { kind: 'own', response, body, headers: conclusion.headers };
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
      bytes = await boundedBody(request, limitBytes);
      return bytes;
    },
    forHandler: () => (bytes?.byteLength ? refilled(request, bytes) : request),
  };
}

/** The response with more headers, and a body in place of the one that has been read. */
function withHeaders(
  response: Response,
  more: readonly (readonly [string, string])[],
  body: BodyInit | null,
): Response {
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  for (const name of guardHeaders) headers.delete(name);
  for (const [name, value] of more) headers.set(name, value);
  return new Response(body, { status, statusText, headers });
}
