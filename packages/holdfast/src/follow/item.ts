import type { EntryView } from '../core/snapshot';
import type { OutboxInit } from '../page/client';
import type { Submission } from './submission';

/** One submission as it is followed. */
export interface Item<Meta> {
  /** Of its entry, once it is known to be kept. */
  id: string | null;
  now: Submission<Meta>;
  /** Whoever wants to know that it is confirmed has been told. */
  told?: boolean;
}

/** A request made here. Nobody knows its entry until it is answered. */
export interface Asked {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly meta: string;
  /** Epoch ms. */
  readonly at: number;
  /** Epoch ms; Infinity until then. */
  answeredAt: number;
}

export function askedOf(input: RequestInfo | URL, init: OutboxInit = {}): Asked {
  // Only to have the address made absolute as the platform does it.
  const { url, method } = input instanceof Request ? input : new Request(input);
  return {
    method: (init.method ?? method).toUpperCase(),
    url: url.replace(/#.*$/s, ''),
    meta: JSON.stringify(init.outbox?.meta) ?? '',
    at: Date.now(),
    answeredAt: Infinity,
  };
}

/**
 * A route with `capture: 'write-ahead'` stores a request before its live attempt: the entry is seen before anybody can say whose
 * it is. It is that of a request just like it that was under way when the entry was made.
 */
export function isOf(asked: Asked, entry: EntryView): boolean {
  return (
    entry.method === asked.method &&
    entry.url === asked.url &&
    entry.createdAt >= asked.at &&
    entry.createdAt <= asked.answeredAt &&
    (asked.meta === '' || asked.meta === JSON.stringify(entry.meta))
  );
}

/** Nothing that would be drawn differently. */
export function isSame<Meta>(a: Submission<Meta>, b: Submission<Meta>): boolean {
  return (
    a.state === b.state &&
    a.response === b.response &&
    a.error === b.error &&
    JSON.stringify([a.meta, a.entry]) === JSON.stringify([b.meta, b.entry])
  );
}
