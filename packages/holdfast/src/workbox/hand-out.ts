import type { Entry } from '../core/entry';
import { withKey } from '../flow/outgoing';
import { extrasOf } from './extras';
import type { Line } from './line';
import { laneOfQueue } from './policy';
import { requestOf } from './request-data';

/** An entry as `Queue` gives it to the app, and takes it back. */
export interface QueueEntry {
  request: Request;
  /** When it was queued first, epoch ms. */
  timestamp?: number;
  metadata?: object;
}

export interface HandedOut {
  readonly given: QueueEntry;
  /** Whether the request, or a clone of it, has been sent or read. Says nothing of a request without a body. */
  readonly sent: () => boolean;
}

/** Which entry a request came from, to know it when it comes back. */
const origins = new WeakMap<Request, number>();

export function seqOf(request: Request): number | undefined {
  return origins.get(request);
}

/**
 * The app's copy of an entry, with its key: whoever sends it, the server can tell that it is the same.
 * @throws OutboxError `unreadable` when its body is not what was stored
 */
export async function handOut({ context, queue }: Line, entry: Entry): Promise<HandedOut> {
  const body = await context.loadBody(entry);
  const { metadata, keepalive } = extrasOf(entry);
  const parts = withKey(context, entry, context.config.routeNamed(laneOfQueue(queue)));
  const request = requestOf(parts, body, keepalive);
  origins.set(request, entry.seq);
  const copies = [request];
  // Apps send `entry.request.clone()` to keep the first for putting back; the clones tell what the first does not.
  Object.defineProperty(request, 'clone', {
    configurable: true,
    value: () => {
      const copy = Request.prototype.clone.call(request);
      copies.push(copy);
      return copy;
    },
  });
  const given: QueueEntry = { request, timestamp: entry.createdAt, ...(metadata && { metadata }) };
  return { given, sent: () => copies.some((copy) => copy.bodyUsed) };
}
