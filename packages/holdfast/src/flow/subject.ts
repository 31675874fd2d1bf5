import { OutboxError } from '../core/errors';
import type { OutboxConfig } from '../core/options';
import type { Store } from '../ports';

/**
 * Whom entries are made and sent for: what the config's function says, otherwise whom a page told last with `setSubject`
 * (kept in the store, so that a worker knows it too).
 * @returns `''` where the app has no subjects; null when it has and nobody is signed in
 */
export async function whoIsSignedIn({ subject }: OutboxConfig, store: Store): Promise<string | null> {
  if (subject) return subject();
  const known = await store.transact('read', (rows) => rows.control('subject'));
  return known ? known.id : '';
}

/** A request nobody could ever see or send again must not look as if it were kept. */
export function nobody(): OutboxError {
  return new OutboxError(
    'no-subject',
    'nobody is signed in, so this request cannot be kept for anybody; sign in first, or name a subject in its options',
  );
}
