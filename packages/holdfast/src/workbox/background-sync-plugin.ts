import type { WorkboxPlugin } from 'workbox-core/types.js';
import { markAttempted } from './attempted';
import { Queue, type QueueOptions } from './queue';

/** Queues what a Workbox or Serwist strategy could not send. The page's `fetch` fails as it would have without it. */
export class BackgroundSyncPlugin implements WorkboxPlugin {
  private readonly _queue: Queue;

  /** @throws WorkboxError `duplicate-queue-name` */
  constructor(name: string, options?: QueueOptions) {
    this._queue = new Queue(name, options);
  }

  fetchDidFail: NonNullable<WorkboxPlugin['fetchDidFail']> = async ({ request }) => {
    markAttempted(request);
    await this._queue.pushRequest({ request });
  };
}
