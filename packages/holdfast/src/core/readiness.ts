import type { Entry } from './entry';

/** Why an entry must not be sent although it is its turn. */
export type Unfit = { readonly reason: 'expired' | 'held'; readonly message: string } | null;

/**
 * Asked before each attempt. An entry past its own deadline expires. One that may have been received, so long ago that the
 * server has forgotten its key, is held for a person: sent again it could take effect twice. What was never sent is safe at
 * any age.
 *
 * @param now            epoch ms
 * @param keyRetentionMs how long the server remembers keys, in milliseconds
 */
export function unfit(entry: Entry, now: number, keyRetentionMs: number): Unfit {
  if (entry.expiresAt !== undefined && now >= entry.expiresAt) {
    const sent = entry.outcome === 'never-sent' ? 'It was never sent.' : 'An earlier attempt may have been received.';
    return { reason: 'expired', message: `Its time ran out before the server took it. ${sent}` };
  }
  const { firstUnknownAt } = entry;
  if (entry.outcome === 'unknown' && firstUnknownAt !== undefined && now - firstUnknownAt > keyRetentionMs) {
    return {
      reason: 'held',
      message:
        'It may have been received, and the server no longer remembers its key. Look at the target before it is sent again.',
    };
  }
  return null;
}
