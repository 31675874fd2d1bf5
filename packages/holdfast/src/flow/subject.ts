import { OutboxError } from '../core/errors';
import { readMessage } from '../core/messages';
import type { Resolved } from '../core/config';
import type { Ports } from '../ports';

/** Whom entries are made and sent for. */
export interface SignedIn {
  /** @returns `''` where the app has no subjects; null when it has and nobody is signed in */
  read(): Promise<string | null>;
  /** Somebody else may be signed in now. */
  changed(): void;
}

/**
 * How long what was read counts as now, ms. Every request asks, twice, and a read waits for all writes before it; about as
 * long lies between the last look and the first byte on the wire anyway.
 */
const freshMs = 50;

/**
 * Whom entries are made and sent for: what the config's function says, asked each time, otherwise whom a page told last with
 * `setSubject`. That is kept in the store, so that a worker knows it too, and said on the channel, so that nobody believes
 * what he read before.
 */
export function whoIsSignedIn(
  { name, config }: Resolved,
  { store, channel, system }: Pick<Ports, 'store' | 'channel' | 'system'>,
): SignedIn {
  const { subject } = config;
  if (subject) return { read: async () => subject(), changed: () => undefined };
  let latest: { readonly at: number; readonly answer: Promise<string | null> } | undefined;

  function ask(): Promise<string | null> {
    const answer = store.transact('read', (rows) => rows.control('subject')).then((known) => (known ? known.id : ''));
    const mine = { at: system.now(), answer };
    latest = mine;
    // A failure is no answer: whoever comes next asks again.
    answer.catch(() => latest === mine && (latest = undefined));
    return answer;
  }
  const changed = (): void => void (latest = undefined);
  channel.subscribe((data) => {
    const message = readMessage(data, name);
    // `setSubject` changes no entry.
    if (message?.type === 'changed' && message.ids.length === 0) changed();
  });

  return {
    read() {
      const ageMs = latest ? system.now() - latest.at : Infinity;
      return latest && ageMs >= 0 && ageMs < freshMs ? latest.answer : ask();
    },
    changed,
  };
}

/** A request nobody could ever see or send again must not look as if it were kept. */
export function nobody(): OutboxError {
  return new OutboxError(
    'no-subject',
    'nobody is signed in, so this request cannot be kept for anybody; sign in first, or name a subject in its options',
  );
}
