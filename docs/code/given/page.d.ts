import type { Outbox } from 'holdfast/page';

declare global {
  /** What `openOutbox(config)` gave, where a page shows only what is done with it. */
  const outbox: Outbox;
}
