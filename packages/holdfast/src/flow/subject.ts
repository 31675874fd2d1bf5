import type { Resolved } from '../core/config';
import { OutboxError } from '../core/errors';
import type { Ports } from '../ports';
import { batch } from './batch';

/** Whom entries are made and sent for; `''` where the app has no subjects, null when it has and nobody is signed in. */
export interface WhoIsSignedIn {
  /** Known now: what was read before the question could name who has just signed out. */
  subject(): Promise<string | null>;
  /**
   * For whoever asks before each of many requests: a look of up to 50 ms ago will do, unless somebody said since that anything
   * has changed. Whoever signs in says so before it is written, too. While there are questions the look is renewed in time, so
   * that nobody waits for it.
   */
  recentSubject(): Promise<string | null>;
  /** This context itself changes something: its channel does not hear its own words. */
  readonly forget: () => void;
}

/** How old a look may be for `recentSubject`, ms: what a lost message can cost. */
const recentMs = 50;

/**
 * What the config's function says, asked each time, otherwise whom a page told last with `setSubject`. That is kept in the
 * store, so that a worker knows it too. Those who ask at the same time share one read, which begins after they asked.
 */
export function whoIsSignedIn(
  { config }: Resolved,
  { store, channel, system }: Pick<Ports, 'store' | 'channel' | 'system'>,
): WhoIsSignedIn {
  const { subject: own } = config;
  if (own) {
    const ask = async (): Promise<string | null> => own();
    return { subject: ask, recentSubject: ask, forget: () => undefined };
  }
  const reads = batch<void, string | null>(async (asking) => {
    const known = await store.transact('read', (rows) => rows.control('subject'));
    return asking.map(() => ({ value: known ? known.id : '' }));
  });
  let listens = false;
  let heard = 0;
  let look: { readonly who: string | null; readonly at: number } | undefined;
  let looking: Promise<string | null> | undefined;

  function forget(): void {
    heard += 1;
    look = undefined;
    looking = undefined;
  }

  function lookAgain(): Promise<string | null> {
    const at = system.now();
    const before = heard;
    const mine = reads
      .add()
      .then((who) => {
        if (heard === before) look = { who, at };
        return who;
      })
      .finally(() => {
        if (looking === mine) looking = undefined;
      });
    // Who only renews it does not wait for it; whoever needs it is told.
    mine.catch(() => undefined);
    looking = mine;
    return mine;
  }

  return {
    subject: () => reads.add(),
    async recentSubject() {
      if (!channel.hears) return reads.add();
      if (!listens) channel.subscribe(forget);
      listens = true;
      const age = look ? Math.abs(system.now() - look.at) : Infinity;
      if (!look || age >= recentMs) return looking ?? lookAgain();
      if (age >= recentMs / 2 && !looking) void lookAgain();
      return look.who;
    },
    forget,
  };
}

/** A request nobody could ever see or send again must not look as if it were kept. */
export function nobody(): OutboxError {
  return new OutboxError(
    'no-subject',
    'nobody is signed in, so this request cannot be kept for anybody; sign in first, or name a subject in its options',
  );
}
