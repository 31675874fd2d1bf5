import type { Held, Lock } from '../ports';
import { hasLocks } from './supports';

type HoldOptions = Parameters<Lock['hold']>[1];
type Work<T> = (held: Held) => Promise<T>;

/**
 * Web Locks as `Lock`. A stolen lock does not stop its holder (the promise of `request` rejects while the callback runs
 * on), so `hold` still waits for the work and the work can see that it is `lost`.
 */
export function webLock(prefix: string): Lock {
  const inContext = contextLock();
  if (!hasLocks()) return inContext;
  return {
    async hold<T>(name: string, options: HoldOptions, work: Work<T>) {
      const { wait, steal = false } = options;
      const held = { lost: false, alone: false };
      let working: Promise<T> | undefined;
      // `steal` and `ifAvailable` exclude each other.
      const request = navigator.locks.request(
        `${prefix}:${name}`,
        steal ? { steal } : { ifAvailable: !wait },
        (lock) => {
          if (lock) working = beside(`${prefix}:${name}:at-work`, held, work);
          return working?.catch(() => undefined);
        },
      );
      try {
        await request;
      } catch (error) {
        held.lost = true;
        // There, and for nobody: where site data is blocked, and in sandboxed frames.
        if (!working && (error as Error).name === 'SecurityError') return inContext.hold(name, options, work);
        // Without work it never began: the context is going away.
        if (!working) throw error;
      }
      // Only now is the lock free for the next.
      return working ? { held: true as const, value: await working } : { held: false as const };
    },
  };
}

/**
 * Who was robbed of the lock works on unseen. So everybody who is at work has a share in a second lock, which nobody steals and
 * nobody waits for, and counts the others' shares before he begins.
 */
async function beside<T>(name: string, held: { lost: boolean; alone: boolean }, work: Work<T>): Promise<T> {
  let working: Promise<T> | undefined;
  const begin = (): Promise<T> => (working ??= work(held));
  const share = navigator.locks.request(name, { mode: 'shared', ifAvailable: true }, async (lock) => {
    const all = lock && (await navigator.locks.query()).held;
    held.alone = all?.filter((other) => other.name === name).length === 1;
    await begin().catch(() => undefined);
  });
  // Whatever became of the share: the work is done, goes on, or begins without knowing of others.
  await share.catch(() => undefined);
  return begin();
}

/**
 * Mutual exclusion inside one context, for engines and contexts without Web Locks (not in a secure context; WebKit before
 * 15.4). Between contexts the lease in the entry protects: its claim is one transaction.
 */
export function contextLock(): Lock {
  const tails = new Map<string, Promise<unknown>>();
  const losing = new Map<string, { lost: boolean }>();
  return {
    async hold(name, { wait, steal = false }, work) {
      const before = tails.get(name);
      if (before && !wait && !steal) return { held: false };
      const robbed = losing.get(name);
      if (steal && robbed) robbed.lost = true;
      const held = { lost: false, alone: false };
      const start = () => {
        losing.set(name, held);
        return work(held);
      };
      const working = (before && !steal ? before : Promise.resolve()).then(start);
      const tail = working.then(
        () => undefined,
        () => undefined,
      );
      tails.set(name, tail);
      try {
        return { held: true, value: await working };
      } finally {
        if (tails.get(name) === tail) tails.delete(name);
        if (losing.get(name) === held) losing.delete(name);
      }
    },
  };
}
