import { queuedReply } from '../browser/reply';
import { OutboxError } from '../core/errors';
import type { CallOptions } from '../core/options';
import { callHeader } from '../core/wire';
import { capture, partsOf } from '../flow/capture';
import type { Engine } from '../flow/engine';
import { factsOf } from '../flow/intent';
import type { LiveResult } from '../flow/live';
import type { OutboxInit } from './client';
import type { WhoSends } from './who-sends';

export interface FetchTools {
  readonly engine: Engine;
  readonly sends: WhoSends;
  /** The page's own fetch, as it was. */
  readonly plainFetch: typeof fetch;
}

/** `fetch` with an outbox behind it: the same when things go well, and what no route matches goes straight through. */
export async function wrappedFetch(
  { engine, sends, plainFetch }: FetchTools,
  input: RequestInfo | URL,
  init: OutboxInit = {},
): Promise<Response> {
  const { outbox: call = {}, ...rest } = init;
  const request = new Request(input, rest);
  const { config, origin } = engine.context;
  const found = config.route(factsOf(partsOf(request)), origin);
  if (!found || request.keepalive) return plainFetch(request);
  // The worker catches it anyway, and it is the one that knows every tab's line.
  if (sends.byWorker()) return plainFetch(withCall(request, call));

  const { signal } = request;
  signal.throwIfAborted();
  const outcome = await Promise.race([
    capture(request).then((captured) => engine.live({ captured, ...found, call, stop: signal })),
    aborted(signal),
  ]);
  void sends.wake(outcome.kind === 'queued' ? 'enqueue' : 'live-success').catch(() => undefined);
  return responseTo(outcome, engine, found.route);
}

function responseTo(outcome: LiveResult, { context }: Engine, route: Parameters<typeof queuedReply>[1]): Response {
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
  if (Object.keys(call).length === 0) return request;
  const headers = new Headers(request.headers);
  headers.set(callHeader, encodeURIComponent(JSON.stringify(call)));
  return new Request(request, { headers });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
