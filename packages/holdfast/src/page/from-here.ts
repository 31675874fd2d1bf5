import { queuedReply } from '../browser/reply';
import type { ResolvedRoute } from '../core/config';
import { OutboxError } from '../core/errors';
import type { CallOptions } from '../core/options';
import type { RequestFacts } from '../core/request-facts';
import type { Captured } from '../flow/capture';
import { log } from '../flow/context';
import type { Engine } from '../flow/engine';
import type { LiveResult } from '../flow/live';
import type { Turn } from '../flow/turns';
import type { WhoSends } from './who-sends';

export interface FetchTools {
  readonly engine: Engine;
  readonly sends: WhoSends;
  /** Something was queued from here. */
  readonly enqueued: () => void;
  /** The page's own fetch, as it was. */
  readonly plainFetch: typeof fetch;
}

/** A request that a route takes, with its bytes complete. */
export interface Taken {
  readonly captured: Captured;
  readonly route: ResolvedRoute;
  readonly facts: RequestFacts;
  readonly call: CallOptions;
  /** Its place in line. */
  readonly turn: Promise<Turn>;
  /** The caller's: giving up is not a failure to queue. */
  readonly signal: AbortSignal;
}

/** The whole way in this page: live first, and into the store when that fails. */
export async function fromHere({ engine, sends, enqueued }: FetchTools, taken: Taken): Promise<Response> {
  const { captured, route, facts, call, turn, signal } = taken;
  const outcome = await Promise.race([
    engine.live({ captured, route, facts, call, turn, stop: signal }),
    aborted(signal),
  ]);
  if (outcome.kind === 'queued') enqueued();
  else void sends.wake('live-success').catch(() => undefined);
  return responseTo(outcome, engine, route);
}

/** @throws TypeError as `fetch` would */
export function responseTo(outcome: LiveResult, { context }: Engine, route: ResolvedRoute): Response {
  switch (outcome.kind) {
    case 'answered':
      return outcome.response as Response;
    case 'queued': {
      const memory = context.store.status().durability === 'memory';
      const reply = queuedReply(outcome.entry, route, memory, (message) =>
        log(context, { event: 'hook-failed', route: route.name, message }),
      );
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

/** Rejects as `fetch` does when its signal is aborted. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
