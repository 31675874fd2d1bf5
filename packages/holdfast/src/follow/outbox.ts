import { emptySnapshot, type OutboxSnapshot } from '../core/snapshot';
import type { Outbox } from '../page/client';
import type { Followed } from './followed';

/** Seen where there is no outbox: on a server, and in a page until it has taken over the server's HTML. */
export const nothingSeen: OutboxSnapshot = Object.freeze(
  emptySnapshot({
    durability: 'durable',
    persisted: 'unknown',
    sender: 'none',
    protected: false,
    backgroundSync: false,
    limits: [],
  }),
);

/** The whole outbox: its snapshot. @param outbox null where there is none, such as on a server */
export function followOutbox(outbox: Outbox | null): Followed<OutboxSnapshot> {
  return {
    subscribe: (listener) => outbox?.subscribe(() => listener()) ?? (() => undefined),
    getSnapshot: () => outbox?.getSnapshot() ?? nothingSeen,
    initial: nothingSeen,
  };
}
