import type { Answer } from './answer';
import { toResponse } from './answer';
import { bodyOf, bytesOf, readBatch } from './batch-format';
import type { Batch, BatchAnswer, BatchRequest } from './batch-format';
import { collect } from './collect';
import { problemAnswer } from './problem';
import { problemTypePrefix } from './problem-type';
import { realSystem } from './system';
import type { System } from './system';

export interface BatchDoorOptions {
  /** The door's own path; a batch may not name it. @default '/batch' */
  readonly path?: string;
  /** The field that carries the key. @default 'idempotency-key' */
  readonly header?: string;
  /** @default 50 */
  readonly maxRequests?: number;
  /** Largest body of the whole batch. @default 8_388_608 (8 MiB) */
  readonly maxBodyBytes?: number;
  /** How long one batch may take; requests not begun by then are answered 424. @default 20_000 */
  readonly budgetMs?: number;
  /** The page that explains keys to callers. @default the draft's page */
  readonly describedBy?: string;
  readonly system?: System;
}

/** The defaults, in one place. */
export const defaultBatchDoor = {
  path: '/batch',
  header: 'idempotency-key',
  maxRequests: 50,
  maxBodyBytes: 8_388_608,
  budgetMs: 20_000,
  describedBy: 'https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/',
  system: realSystem,
} as const satisfies BatchDoorOptions;

/**
 * An endpoint that takes many keyed requests in one and answers each, in order, as if they had been sent one by one:
 * `docs/wire.md`, "The batch door".
 *
 * @param app     the whole app as callers reach it, with authentication and guard in it: each request goes through all of it
 * @returns       a handler for POST on `path`
 */
export function batchDoor(
  app: (request: Request) => Response | Promise<Response>,
  options: BatchDoorOptions = {},
): (request: Request) => Promise<Response> {
  const settings = { ...defaultBatchDoor, ...options };
  const { describedBy, system } = settings;
  const malformed = (detail: string): Response =>
    toResponse(problemAnswer('batch-malformed', `${detail}.`, { describedBy }));

  return async (outer) => {
    // Any other type could come from a foreign page without a preflight, with the visitor's cookies.
    if (!/^application\/json\s*(;|$)/i.test(outer.headers.get('content-type') ?? '')) {
      return malformed('the Content-Type must be application/json');
    }
    const bytes = outer.body ? await collect(outer.body, settings.maxBodyBytes) : new Uint8Array();
    if (!bytes) return malformed(`the body is larger than ${settings.maxBodyBytes} bytes`);
    const read = readBatch(new TextDecoder().decode(bytes), settings.maxRequests);
    if ('wrong' in read) return malformed(read.wrong);
    return answerAll(read.batch, outer);
  };

  async function answerAll(batch: Batch, outer: Request): Promise<Response> {
    const until = system.now() + settings.budgetMs;
    const stopped = new Set<string>();
    const answers: BatchAnswer[] = [];
    const cookies: string[] = [];
    for (const request of batch.requests) {
      const { lane } = request;
      const why = system.now() >= until ? 'the time for one batch is over' : 'an earlier request of its lane failed';
      if (system.now() >= until || (lane !== undefined && stopped.has(lane))) {
        answers.push(await plain(problemAnswer('not-attempted', `Nothing was done: ${why}.`, { describedBy })));
        continue;
      }
      const response = await answerOne(request, outer);
      cookies.push(...response.headers.getSetCookie());
      const answer = await answerOf(response);
      answers.push(answer);
      if (lane !== undefined && stops(answer, batch.stop)) stopped.add(lane);
    }
    const response = Response.json({ answers }, { headers: { 'cache-control': 'no-store' } });
    for (const cookie of cookies) response.headers.append('set-cookie', cookie);
    return response;
  }

  async function answerOne(request: BatchRequest, outer: Request): Promise<Response> {
    const headers = headersFor(request, outer, settings.header);
    if (!headers.has(settings.header)) {
      return toResponse(
        problemAnswer('key-missing', 'Each request of a batch needs a key of its own.', { describedBy }),
      );
    }
    const url = new URL(request.target, outer.url);
    if (url.pathname === settings.path) {
      return toResponse(problemAnswer('batch-malformed', 'A batch cannot hold another.', { describedBy }));
    }
    const body = request.body && (bytesOf(request.body) as BodyInit);
    try {
      return await app(new Request(url, { method: request.method, headers, body: body ?? null }));
    } catch {
      // As a server answers for a handler that throws; those after it are not its fault.
      return new Response(null, { status: 500 });
    }
  }
}

/** Fields that belong to the batch as a message, not to its caller. */
const ofTheMessage = /^(content-.*|accept-encoding|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect)$/;

/** Fields a page cannot set (Fetch, "forbidden request-header"): a request within a batch cannot either. */
const forbidden =
  /^(accept-charset|accept-encoding|access-control-.*|connection|content-length|cookie|cookie2|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|via|forwarded|x-forwarded-.*|proxy-.*|sec-.*)$/;

function headersFor(request: BatchRequest, outer: Request, keyHeader: string): Headers {
  const headers = new Headers();
  outer.headers.forEach((value, name) => {
    if (!ofTheMessage.test(name) && name !== keyHeader) headers.append(name, value);
  });
  const own = new Headers();
  for (const [name, value] of request.headers) if (!forbidden.test(name.toLowerCase())) own.append(name, value);
  own.forEach((value, name) => headers.set(name, value));
  return headers;
}

async function answerOf(response: Response): Promise<BatchAnswer> {
  const headers = [...response.headers].filter(([name]) => name !== 'set-cookie');
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers, body: bodyOf(bytes) };
}

function plain(answer: Answer): Promise<BatchAnswer> {
  return answerOf(toResponse(answer));
}

const retryable = [401, 408, 421, 425, 429];

/** These have the request made again elsewhere: nothing is done yet (RFC 9110 sections 15.4.8 and 15.4.9). */
const elsewhere = [307, 308];

/** Whether what comes after this answer in its lane has to wait for another day. */
function stops({ status, body }: BatchAnswer, stop: Batch['stop']): boolean {
  if (stop === 'never') return false;
  if (elsewhere.includes(status)) return true;
  if (stop === 'failure') return status >= 400;
  if (status >= 500 || retryable.includes(status)) return true;
  return status === 409 && body !== null && 'text' in body && isInProgress(body.text);
}

function isInProgress(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return (value as { type?: unknown } | null)?.type === `${problemTypePrefix}in-progress`;
  } catch {
    return false;
  }
}
