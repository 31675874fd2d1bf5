import type { Resolved } from '../core/config';
import { OutboxError } from '../core/errors';
import type { Store } from '../ports';
import { batch } from './batch';

/**
 * Whom entries are made and sent for: what the config's function says, asked each time, otherwise whom a page told last with
 * `setSubject`. That is kept in the store, so that a worker knows it too. Those who ask at the same time share one read, which
 * begins after they asked: what was read earlier could name who has just signed out.
 *
 * @returns `''` where the app has no subjects; null when it has and nobody is signed in
 */
export function whoIsSignedIn({ config }: Resolved, store: Store): () => Promise<string | null> {
  const { subject } = config;
  if (subject) return async () => subject();
  const reads = batch<void, string | null>(async (asking) => {
    const known = await store.transact('read', (rows) => rows.control('subject'));
    return asking.map(() => ({ value: known ? known.id : '' }));
  });
  return () => reads.add();
}

/** A request nobody could ever see or send again must not look as if it were kept. */
export function nobody(): OutboxError {
  return new OutboxError(
    'no-subject',
    'nobody is signed in, so this request cannot be kept for anybody; sign in first, or name a subject in its options',
  );
}
