import { Idempotency } from '@node-idempotency/core';
import type { StorageAdapter } from '@node-idempotency/storage';
import { place } from './order.ts';
import type { Order, Placed } from './order.ts';

/** The handler of `order.ts` guarded by `@node-idempotency/core`, called as its own plugins call it. */
export function coreGuarded(storage: StorageAdapter): (request: Request) => Promise<Response> {
  const idempotency = new Idempotency(storage);
  return async (request) => {
    const order = (await request.json()) as Order;
    const { pathname, search } = new URL(request.url);
    const asked = {
      method: request.method,
      path: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: order as unknown as Record<string, unknown>,
    };
    const kept = await idempotency.onRequest<Placed, never>(asked);
    if (kept?.body) return answered(kept.body, order);
    const placed = place(order);
    await idempotency.onResponse(asked, { body: placed, additional: { statusCode: 201 } });
    return answered(placed, order);
  };
}

function answered(placed: Placed, { sku }: Order): Response {
  return Response.json(placed, { status: 201, headers: { location: `/orders/${sku}` } });
}
