import type { Handler } from '../idempotent';
import type { Shop } from './adapter.contract';

/** The routes of the adapter contract as one handler of the web's kind. */
export function webShop(shop: Shop): Handler {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'GET') return new Response('orders');
    shop.runs += 1;
    switch (pathname) {
      case '/orders': {
        const { sku } = (await request.json()) as { sku: string };
        return Response.json({ run: shop.runs, sku }, { status: 201 });
      }
      case '/echo':
        return new Response(await request.arrayBuffer(), { headers: { 'content-type': 'application/octet-stream' } });
      case '/empty':
        return new Response(null, { status: 204 });
      case '/fails':
        if (shop.broken) throw new Error('broken');
        return new Response('works');
      case '/slow':
        await shop.slow.promise;
        return new Response('slow');
      case '/large':
        return new Response('x'.repeat(30_000));
      case '/events':
        return new Response(events(shop), { headers: { 'content-type': 'text/event-stream' } });
      case '/cookie': {
        const response = new Response('sweet');
        response.headers.append('set-cookie', 'a=1');
        response.headers.append('set-cookie', 'b=2');
        return response;
      }
      default:
        return new Response('nothing here', { status: 404 });
    }
  };
}

/** Two server-sent events, the second when the shop's gate opens. */
export async function* eventChunks(shop: Shop): AsyncGenerator<string> {
  yield 'data: 1\n\n';
  await shop.events.promise;
  yield 'data: 2\n\n';
}

/** The same as a stream of the web's kind. */
export function events(shop: Shop): ReadableStream<Uint8Array> {
  const chunks = eventChunks(shop);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(new TextEncoder().encode(next.value));
    },
  });
}
