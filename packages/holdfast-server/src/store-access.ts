import { createBreaker } from './breaker';
import { HoldfastServerError } from './errors';
import { createHeartbeat } from './heartbeat';
import type { Store } from './store';
import type { System } from './system';
import type { Teller } from './teller';

/** Every call to the store goes through here: with a deadline, a breaker, and a memory for what is still owed to it. */
export interface StoreAccess {
  /** @throws HoldfastServerError `store-unavailable` if the call failed, took too long or was not made */
  call<T>(work: (store: Store) => Promise<T>): Promise<T>;
  /** Does `work` again and again until the store has taken it. Safe, since only its owner can write a record. */
  owe(work: (store: Store) => Promise<unknown>): void;
  /** When a refused caller should come back. */
  retryAfterMs(): number;
}

/** Most calls owed at once; the oldest is dropped first, and its key ends with its lease as an unknown outcome. */
const maxOwed = 1_000;
const payEveryMs = 1_000;

export function createStoreAccess(store: Store, system: System, timeoutMs: number, tell: Teller['tell']): StoreAccess {
  const breaker = createBreaker();
  /** A call that is still pending at its first or second beat is late; one timer watches all of them. */
  const deadlines = createHeartbeat(system, timeoutMs / 2);
  const owed: ((store: Store) => Promise<unknown>)[] = [];
  let timerSet = false;

  /** Written without `async`: it runs twice a request, and each turn of the queue shows. */
  function call<T>(work: (store: Store) => Promise<T>): Promise<T> {
    if (!breaker.allows(system.now())) {
      return Promise.reject(
        new HoldfastServerError('store-unavailable', 'the store failed a moment ago and is left alone'),
      );
    }
    return new Promise<T>((resolve, reject) => {
      function failed(cause: unknown): void {
        inTime();
        tell('store-error', undefined, { error: cause });
        if (breaker.failed(system.now())) tell('store-down', undefined, { detail: 'it is left alone for a while' });
        reject(new HoldfastServerError('store-unavailable', 'the store call failed; see the cause', { cause }));
      }
      const inTime = deadlines.start(() => failed(new Error(`no answer within ${timeoutMs} ms`)));
      try {
        work(store).then((result) => {
          inTime();
          if (breaker.succeeded()) tell('store-back');
          resolve(result);
        }, failed);
      } catch (error) {
        failed(error);
      }
    });
  }

  async function pay(): Promise<void> {
    timerSet = false;
    while (owed.length > 0) {
      const next = owed[0] as (typeof owed)[number];
      try {
        await call(next);
      } catch {
        break;
      }
      if (owed[0] === next) owed.shift();
    }
    setTimer();
  }

  function setTimer(): void {
    if (timerSet || owed.length === 0) return;
    timerSet = true;
    system.after(Math.max(payEveryMs, breaker.waitMs(system.now())), () => void pay());
  }

  return {
    call,
    owe(work) {
      if (owed.length >= maxOwed) owed.shift();
      owed.push(work);
      setTimer();
    },
    retryAfterMs: () => Math.max(1_000, breaker.waitMs(system.now())),
  };
}
