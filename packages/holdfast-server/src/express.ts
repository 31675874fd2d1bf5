import type { IncomingMessage, ServerResponse } from 'node:http';
import { createGuard } from './admission';
import type { Guard } from './admission';
import { isBodiless } from './answer';
import type { Answer } from './answer';
import { findBody } from './node-body';
import { capture } from './node-capture';
import type { GuardOptions } from './options';
import type { RunContext } from './run-context';

declare global {
  // The name is Express's own place for what middleware adds to a request.
  // oxlint-disable-next-line typescript/no-namespace
  namespace Express {
    interface Request {
      /** The claim this request runs under; absent if it was sent without a key. */
      idempotency?: RunContext;
    }
  }
}

/** Middleware for Express 5 and 4, Connect and their kin, and the guard behind it. */
export interface ExpressIdempotency<Req extends IncomingMessage> {
  (request: Req, response: ServerResponse, next: (error?: unknown) => void): void;
  readonly guard: Guard<Req>;
}

/**
 * The guard as Express middleware: `app.use('/orders', idempotency({ store, principal: (req) => req.user.id }))`. Put it
 * after the middleware that knows the caller and answers CORS; before the body parsers if you can, so that bodies count
 * byte for byte. What a handler writes is held back until it ends, kept, and sent then.
 *
 * @throws HoldfastServerError `bad-option`
 */
export function idempotency<Req extends IncomingMessage = Express.Request & IncomingMessage>(
  options: GuardOptions<Req>,
): ExpressIdempotency<Req> {
  const guard = createGuard(options);

  async function handle(request: Req, response: ServerResponse, next: (error?: unknown) => void): Promise<void> {
    let overriding: Readonly<Record<string, string | null>> = {};
    const admission = await guard.admit({
      source: request,
      method: request.method ?? 'GET',
      target: (request as { originalUrl?: string }).originalUrl ?? request.url ?? '/',
      header(name) {
        const value = name in overriding ? overriding[name] : request.headers[name];
        return value === undefined || value === null ? null : typeof value === 'string' ? value : value.join(', ');
      },
      async body(limitBytes) {
        const found = await findBody(request, limitBytes);
        overriding = found.headers;
        return found.bytes;
      },
    });
    switch (admission.kind) {
      case 'answer':
        return sendAnswer(response, admission.answer);
      case 'pass':
        for (const [name, value] of admission.headers) response.setHeader(name, value);
        return next();
      case 'run':
        (request as { idempotency?: RunContext }).idempotency = admission.run.context;
        capture(response, admission.run, guard.options.maxAnswerBytes);
        return next();
    }
  }

  const middleware = (request: Req, response: ServerResponse, next: (error?: unknown) => void): void => {
    handle(request, response, next).catch(next);
  };
  return Object.assign(middleware, { guard });
}

/** Sends what `withIdempotency` answered: `await sendResponse(res, await withIdempotency(…))`. */
export async function sendResponse(response: ServerResponse, answer: Response): Promise<void> {
  const body = isBodiless(answer.status) ? undefined : Buffer.from(await answer.arrayBuffer());
  response.statusCode = answer.status;
  answer.headers.forEach((value, name) => response.appendHeader(name, value));
  response.end(body);
}

function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  response.statusCode = status;
  for (const [name, value] of headers) response.setHeader(name, value);
  response.end(isBodiless(status) ? undefined : (body ?? undefined));
}
