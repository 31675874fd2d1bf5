import { queuedReply } from '../browser/reply';
import type { ResolvedRoute } from '../core/config';
import { OutboxError } from '../core/errors';
import type { CallOptions } from '../core/options';
import type { RequestFacts } from '../core/request-facts';
import { callHeader } from '../core/wire';
import { capture, partsOf } from '../flow/capture';
import type { Engine } from '../flow/engine';
import { factsOf } from '../flow/intent';
import type { LiveResult } from '../flow/live';
import { deadlineMs } from '../flow/outgoing';
import type { System } from '../ports';
import type { OutboxInit } from './client';
import { readStream } from './read-stream';
import type { WhoSends } from './who-sends';

export interface FetchTools {
  readonly engine: Engine;
  readonly sends: WhoSends;
  /** The page's own fetch, as it was. */
  readonly plainFetch: typeof fetch;
}

interface Found {
  readonly route: ResolvedRoute;
  readonly facts: RequestFacts;
}

/** Beyond the worker's own deadline for the attempt: a worker that was killed meanwhile answers never (seen in Firefox); ms. */
const workerSlackMs = 10_000;

/** `fetch` with an outbox behind it: the same when things go well, and what no route matches goes straight through. */
export async function wrappedFetch(
  tools: FetchTools,
  input: RequestInfo | URL,
  init: OutboxInit = {},
): Promise<Response> {
  const { outbox: call = {}, ...rest } = init;
  const found = routeOf(tools.engine, input, rest);
  if (!found) return tools.plainFetch(input, rest);
  const request = await requestOf(tools.engine, input, rest);
  request.signal.throwIfAborted();
  // The worker catches it anyway, and it is the one that knows every tab's line.
  return tools.sends.byWorker() ? throughWorker(tools, request, found, call) : fromHere(tools, request, found, call);
}

/** The route is asked before a Request is made: what no route takes must reach `fetch` untouched, streams and all. */
function routeOf({ context }: Engine, input: RequestInfo | URL, init: RequestInit): Found | undefined {
  const { body: _, ...bare } = init;
  const head =
    input instanceof Request
      ? { ...partsOf(input), ...(bare.method && { method: bare.method.toUpperCase() }) }
      : partsOf(new Request(input, bare));
  return context.config.route(factsOf(head), context.origin);
}

async function requestOf({ context }: Engine, input: RequestInfo | URL, init: RequestInit): Promise<Request> {
  if (!(init.body instanceof ReadableStream)) return new Request(input, init);
  // Engines differ on streams: Firefox would send the text "[object ReadableStream]".
  const { duplex: _, ...others } = init as RequestInit & { duplex?: string };
  return new Request(input, {
    ...others,
    body: await readStream(init.body as ReadableStream<Uint8Array>, context.config.limits.bodyBytes),
  });
}

async function fromHere(
  { engine, sends }: FetchTools,
  request: Request,
  found: Found,
  call: CallOptions,
): Promise<Response> {
  const { signal } = request;
  // A page that sends with `keepalive` may be gone before the answer: then the store has to know first.
  const route: ResolvedRoute = request.keepalive ? { ...found.route, capture: 'write-ahead' } : found.route;
  const outcome = await Promise.race([
    capture(request).then((captured) => engine.live({ captured, route, facts: found.facts, call, stop: signal })),
    aborted(signal),
  ]);
  void sends.wake(outcome.kind === 'queued' ? 'enqueue' : 'live-success').catch(() => undefined);
  return responseTo(outcome, engine, found.route);
}

/**
 * Through the worker, under a key made here: should it never answer, the store is asked what became of that key, and if it does
 * not know, the request is made from here, with the same key.
 */
async function throughWorker(tools: FetchTools, request: Request, found: Found, given: CallOptions): Promise<Response> {
  const { engine, plainFetch } = tools;
  const { context } = engine;
  const call = { ...given, key: given.key ?? context.system.id() };
  const spare = request.clone();
  const size = Number(request.headers.get('content-length') ?? 0);
  const { promise: silence, cancel } = timeout(context.system, deadlineMs(found.route, size) + workerSlackMs);
  const answer = await Promise.race([plainFetch(withCall(request, call)), silence]).finally(cancel);
  if (answer !== 'silence') return answer;
  const entry = await context.store.transact('read', (rows) => rows.byKey(call.key));
  if (!entry) return fromHere(tools, spare, found, call);
  return responseTo({ kind: 'queued', entry }, engine, found.route);
}

function timeout(system: System, ms: number): { promise: Promise<'silence'>; cancel: () => void } {
  let cancel = (): void => undefined;
  const promise = new Promise<'silence'>((resolve) => (cancel = system.timer(ms, () => resolve('silence'))));
  return { promise, cancel: () => cancel() };
}

function responseTo(outcome: LiveResult, { context }: Engine, route: ResolvedRoute): Response {
  switch (outcome.kind) {
    case 'answered':
      return outcome.response as Response;
    case 'queued': {
      const reply = queuedReply(outcome.entry, route, context.store.status().durability === 'memory');
      if (reply.type === 'error') throw new TypeError('Failed to fetch (the request is kept and will be sent)');
      return reply;
    }
    case 'failed':
      // What `fetch` would have done without us, with the reason it was not kept.
      throw new TypeError(outcome.message, {
        cause: outcome.error ?? new OutboxError('not-storable', outcome.message),
      });
  }
}

/** The per-call options travel to the worker in a header, which it takes off again. */
function withCall(request: Request, call: CallOptions): Request {
  const headers = new Headers(request.headers);
  headers.set(callHeader, encodeURIComponent(JSON.stringify(call)));
  return new Request(request, { headers });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
