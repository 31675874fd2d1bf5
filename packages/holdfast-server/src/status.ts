import type { Guard, Incoming } from './admission';
import { plainAnswer, toResponse } from './answer';
import type { Answer } from './answer';
import { HoldfastServerError } from './errors';
import { refusal } from './refusal';
import { targetOf } from './scope';
import type { Sighting } from './store';
import { readKey } from './syntax';

/**
 * "Did it happen?" as an endpoint: `GET <path>?method=POST&target=%2Forders` with the key in its usual field.
 * Callers see their own keys only, by the same principal as everywhere.
 *
 * @returns a handler answering 200 with `{ state, … }`, 400 without a key or target, 503 if the store is down
 */
export function keyStatus(guard: Guard<Request>): (request: Request) => Promise<Response> {
  return async (request) => {
    const incoming: Incoming<Request> = {
      source: request,
      method: request.method,
      target: targetOf(request.url),
      header: (name) => request.headers.get(name),
      body: () => new Uint8Array(),
    };
    return toResponse(await statusAnswer(guard, incoming, new URL(request.url).searchParams));
  };
}

async function statusAnswer(
  guard: Guard<Request>,
  incoming: Incoming<Request>,
  query: URLSearchParams,
): Promise<Answer> {
  const { options } = guard;
  const reading = readKey(incoming.header(options.header), options.maxKeyLength);
  const target = query.get('target');
  if (reading.kind === 'absent')
    return refusal('key-missing', options, { detail: `Send the key in ${options.header}.` });
  if (reading.kind === 'malformed') return refusal('key-malformed', options);
  if (target === null) return refusal('key-malformed', options, { detail: 'Name the path and query in ?target=.' });
  const method = (query.get('method') ?? 'POST').toUpperCase();
  try {
    const principal = (await guard.principalOf(incoming)) ?? undefined;
    return report(await guard.look({ principal, method, target, key: reading.key }));
  } catch (error) {
    if (!(error instanceof HoldfastServerError) || error.code !== 'store-unavailable') throw error;
    return refusal('store-unavailable', options, { retryAfterMs: options.retryAfterMs });
  }
}

function report(seen: Sighting): Answer {
  const told =
    seen.kind === 'done'
      ? { state: 'done', status: seen.answer.status, answeredAt: new Date(seen.answeredAt).toISOString() }
      : { state: seen.kind };
  const headers = [
    ['content-type', 'application/json'],
    ['cache-control', 'no-store'],
  ] as const;
  return plainAnswer(200, headers, JSON.stringify(told));
}
