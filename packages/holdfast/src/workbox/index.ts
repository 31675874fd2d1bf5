export { BackgroundSyncPlugin } from './background-sync-plugin';
export { IdempotencyKeyPlugin } from './idempotency-key-plugin';
export { Queue, Queue as BackgroundSyncQueue, type OnSyncCallback, type QueueOptions } from './queue';
export {
  QueueStore,
  QueueStore as BackgroundSyncQueueStore,
  type QueueStoreEntry,
  type UnidentifiedQueueStoreEntry,
} from './queue-store';
export { StorableRequest } from './storable-request';
export type { QueueEntry } from './hand-out';
export type { RequestData } from './request-data';
export { configureQueues } from './outbox';
export type { QueueOutboxConfig } from './queue-config';
export { workboxOutbox } from './policy';
export type { SyncManager } from './sync-events';
