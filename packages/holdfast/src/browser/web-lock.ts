import type { Lock } from '../ports';
import { hasLocks } from './supports';

type HoldOptions = Parameters<Lock['hold']>[1];
type Work<T> = (lost: { readonly lost: boolean }) => Promise<T>;

/**
 * Web Locks as `Lock`. A stolen lock does not stop its holder (the promise of `request` rejects while the callback runs
 * on), so `hold` still waits for the work and the work can see that it is `lost`.
 */
export function webLock(prefix: string): Lock {
  if (!hasLocks()) return contextLock();
  return {
    async hold<T>(name: string, { wait, steal = false }: HoldOptions, work: Work<T>) {
      const lost = { lost: false };
      let working: Promise<T> | undefined;
      // `steal` and `ifAvailable` exclude each other.
      const request = navigator.locks.request(
        `${prefix}:${name}`,
        steal ? { steal } : { ifAvailable: !wait },
        (lock) => {
          working = lock ? work(lost) : undefined;
          return working?.catch(() => undefined);
        },
      );
      await request.catch((error: unknown) => {
        lost.lost = true;
        // Without work it never began: the context is going away.
        if (!working) throw error;
      });
      // Only now is the lock free for the next.
      return working ? { held: true as const, value: await working } : { held: false as const };
    },
  };
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
      const lost = { lost: false };
      const start = () => {
        losing.set(name, lost);
        return work(lost);
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
        if (losing.get(name) === lost) losing.delete(name);
      }
    },
  };
}
