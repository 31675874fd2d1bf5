import { hints } from '../browser/hints';
import { OutboxError } from '../core/errors';
import type { CallOptions } from '../core/options';
import { capture, partsOf } from '../flow/capture';
import type { Engine } from '../flow/engine';
import { factsOf, laneFor } from '../flow/intent';
import type { OutboxInit } from './client';
import { aborted, fromHere, type FetchTools, type Taken } from './from-here';
import { throughWorker } from './through-worker';
import { mayRead, withBytes } from './with-bytes';

/** `fetch` with an outbox behind it: the same when things go well, and what no route matches goes straight through. */
export async function wrappedFetch(
  tools: FetchTools,
  input: RequestInfo | URL,
  init: OutboxInit = {},
): Promise<Response> {
  const { outbox: call = {}, ...rest } = init;
  const found = routeOf(tools.engine, input, rest);
  if (!found) return tools.plainFetch(input, rest);
  const reading = withBytes(tools.engine.context, input, rest);
  // It stands in line from now on, however long its body takes to read and whoever sends it.
  const turn = tools.engine.turns.take(lineOf(call, found));
  try {
    const request = await reading;
    const { signal, keepalive } = request;
    signal.throwIfAborted();
    const spare = input instanceof Request && !(await mayRead(request)) ? request.clone() : undefined;
    const captured = await Promise.race([capture(request), aborted(signal)]).catch((error: unknown) => {
      if (!spare || signal.aborted) throw error;
    });
    if (!captured) return await untouched(tools, spare!);
    const taken = { ...found, captured, call, turn, signal };
    // A page that sends with `keepalive` may be gone before the answer, and in Firefox such a request passes the worker by:
    // then the store has to know first.
    if (keepalive) return await fromHere(tools, { ...taken, route: { ...found.route, capture: 'write-ahead' } });
    // The worker catches it anyway, and it is the one that knows every tab's line.
    if (!tools.sends.byWorker()) return await fromHere(tools, taken);
    await Promise.race([turn, aborted(signal)]);
    return await throughWorker(tools, taken);
  } catch (error) {
    // What `fetch` rejects with; the reason is inside.
    throw error instanceof OutboxError ? new TypeError(error.message, { cause: error }) : error;
  } finally {
    void turn.then((mine) => mine.done());
  }
}

function lineOf(call: CallOptions, { route, facts }: Pick<Taken, 'route' | 'facts'>): string | null {
  try {
    return laneFor(call, route, facts);
  } catch {
    // The app's own function failed; the engine says so when it asks again.
    return null;
  }
}

/**
 * A form with files that the app put into a Request itself, in an engine whose pages cannot read such a one: the worker can
 * (without this call's options), and without a worker it is sent but cannot be kept.
 */
async function untouched({ plainFetch }: FetchTools, request: Request): Promise<Response> {
  try {
    return await plainFetch(request);
  } catch (cause) {
    throw new OutboxError(
      'not-storable',
      'this browser cannot read a form with files out of a Request, so it was not kept; hand the FormData itself to fetch',
      { cause },
    );
  }
}

/** The route is asked before a Request is made: what no route takes must reach `fetch` untouched, streams and all. */
function routeOf(
  { context }: Engine,
  input: RequestInfo | URL,
  init: RequestInit,
): Pick<Taken, 'route' | 'facts'> | undefined {
  const { body: _, ...bare } = init;
  // Made from its address alone: a Request would lose its body to the new one.
  const head =
    input instanceof Request
      ? partsOf(new Request(input.url, { ...pick(input), ...bare }))
      : partsOf(new Request(input, bare));
  const facts = factsOf(head);
  const found = context.config.route(facts, context.origin);
  hints?.request(facts, found?.route, context.config, context.origin);
  return found;
}

function pick({ method, headers, mode }: Request): RequestInit {
  return { method, headers, ...(mode !== 'navigate' && { mode }) };
}
