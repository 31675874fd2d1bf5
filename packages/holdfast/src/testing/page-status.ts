import type { OutboxStatus } from '../core/snapshot';

/** What a page with a worker of ours says of itself. */
export const pageStatus: OutboxStatus = {
  durability: 'durable',
  persisted: 'unknown',
  sender: 'worker',
  protected: true,
  backgroundSync: false,
  limits: [],
};
