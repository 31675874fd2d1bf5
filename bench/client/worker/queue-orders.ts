import { noteRequest, type Order } from './orders';

/** The part of Workbox's and Serwist's queue that is measured. */
export interface QueueLike {
  pushRequest(entry: { readonly request: Request }): Promise<void>;
  replayRequests(): Promise<void>;
  size(): Promise<number>;
}

/** @returns orders for a queue as it is, and for one whose Background Sync registration is left out. */
export function queueOrders(
  shipped: QueueLike,
  stubbed: QueueLike,
): Record<string, (order: Order) => Promise<unknown>> {
  const queueOf = (order: Order): QueueLike => (order.width < 0 ? stubbed : shipped);
  const rate = async (count: number, work: () => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    await work();
    return (count / (performance.now() - startedAt)) * 1000;
  };
  return {
    enqueueInTurn: (order) =>
      rate(order.count, async () => {
        for (let at = 0; at < order.count; at += 1) await queueOf(order).pushRequest({ request: noteRequest(at) });
      }),
    enqueueAtOnce: (order) =>
      rate(order.count, async () => {
        for (let from = 0; from < order.count; from += 100) {
          const hundred = Array.from({ length: 100 }, (_, at) => noteRequest(from + at));
          await Promise.all(hundred.map((request) => queueOf(order).pushRequest({ request })));
        }
      }),
    fill: async ({ count }) => {
      for (let at = 0; at < count; at += 1) await stubbed.pushRequest({ request: noteRequest(at) });
    },
    replay: () => stubbed.replayRequests(),
    replayPlugin: () => shipped.replayRequests(),
  };
}
