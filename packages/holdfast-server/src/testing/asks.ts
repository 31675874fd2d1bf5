import { plainAnswer } from '../answer';
import type { Answer } from '../answer';
import type { ClaimAsk } from '../store';

/** A claim of `owner` on `id`, with a lease of 10 s, a retention of 100 s and a tombstone of 1,000 s. */
export function ask(id: string, owner: string, fingerprint = 'print'): ClaimAsk {
  return { id, owner, fingerprint, leaseMs: 10_000, retentionMs: 100_000, tombstoneMs: 1_000_000 };
}

/** An answer whose body has every byte there is. */
export const allBytes: Answer = plainAnswer(
  201,
  [
    ['content-type', 'application/octet-stream'],
    ['location', '/orders/77?naïve="yes"'],
  ],
  Uint8Array.from({ length: 256 }, (_, index) => index),
);

/** A clock that stands still until it is moved. */
export function handClock(startAt = 1_790_000_000_000): { now: () => number; pass: (ms: number) => void } {
  let at = startAt;
  return {
    now: () => at,
    pass(ms) {
      at += ms;
    },
  };
}
