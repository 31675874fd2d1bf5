declare const self: ServiceWorkerGlobalScope;

export interface Order {
  readonly do: string;
  readonly count: number;
  readonly width: number;
  readonly durability: IDBTransactionDurability;
}

/** Takes control at once, and does what the page asks for. */
export function takeOrders(orders: Readonly<Record<string, (order: Order) => Promise<unknown>>>): void {
  self.addEventListener('install', () => void self.skipWaiting());
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener('message', (event) => {
    const order = event.data as Order;
    const work = orders[order.do];
    const port = event.ports[0];
    if (!work || !port) return;
    event.waitUntil(
      work(order).then(
        (value) => port.postMessage({ value }),
        (error: unknown) => port.postMessage({ error: String(error) }),
      ),
    );
  });
}

export function noteRequest(number: number): Request {
  const body = { number, title: `Note ${number}`, text: 'x'.repeat(160), tags: ['a', 'b'] };
  return new Request('/api/notes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** `each` with at most `width` under way. */
export async function atMost(count: number, width: number, each: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const slot = async (): Promise<void> => {
    while (next < count) await each(next++);
  };
  await Promise.all(Array.from({ length: width }, slot));
}
