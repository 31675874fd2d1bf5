import type { Handler } from 'holdfast-server';

/** What every contender does with a request: a small JSON order, a small JSON answer, no store of its own. */
export interface Order {
  readonly sku: string;
  readonly qty: number;
}

export interface Placed {
  readonly id: string;
  readonly sku: string;
  readonly qty: number;
}

export function place({ sku, qty }: Order): Placed {
  return { id: `order-${sku}-${qty}`, sku, qty };
}

/** The same as a handler of the web's kind. */
export const handler: Handler = async (request) => {
  const order = (await request.json()) as Order;
  return Response.json(place(order), { status: 201, headers: { location: `/orders/${order.sku}` } });
};
