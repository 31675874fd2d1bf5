import type { ResolvedRoute } from '../core/config';
import type { Entry } from '../core/entry';
import { viewOf } from '../core/snapshot';
import { markerHeader } from '../core/wire';

/**
 * What the page's own `fetch` gets when its write was kept. 202 promises nothing (RFC 9110 section 15.3.3), and the marker
 * header says whose word it is; a made-up 200 or 201 would be a lie.
 * @param memory the store forgets on reload, and the page must know
 * @param failed told when the app's own `reply` throws or makes no Response; the page then gets the 202
 */
export function queuedReply(
  entry: Entry,
  route: ResolvedRoute,
  memory: boolean,
  failed: (why: string) => void,
): Response {
  const { reply } = route;
  if (reply === 'error') return Response.error();
  if (typeof reply === 'function') {
    try {
      const own: unknown = reply(viewOf(entry, null));
      if (own instanceof Response) return own;
      failed('reply made no Response');
    } catch (error) {
      failed(`reply: ${String(error)}`);
    }
  }
  if (typeof reply === 'object') return Response.redirect(new URL(reply.redirect, self.location.href), 303);
  const body = { id: entry.id, key: entry.key, state: 'queued', durability: memory ? 'memory' : 'durable' };
  return new Response(JSON.stringify(body), {
    status: 202,
    statusText: 'Accepted',
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', [markerHeader]: entry.id },
  });
}
