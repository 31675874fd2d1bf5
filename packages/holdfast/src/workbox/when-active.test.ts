import { describe, expect, it } from 'vitest';
import { whenActive, type WorkerEvents } from './when-active';

/** A worker's global, as far as it is asked. Firefox does not show the worker's state. */
function worker(state?: ServiceWorkerState): WorkerEvents & EventTarget {
  return Object.assign(new EventTarget(), state && { serviceWorker: { state } }) as WorkerEvents & EventTarget;
}

/** Whether the promise has resolved by now. */
async function isOver(promise: Promise<void>): Promise<boolean> {
  return Promise.race([promise.then(() => true), Promise.resolve().then(() => Promise.resolve(false))]);
}

describe('a worker', () => {
  it('that starts again is at work at once', async () => {
    for (const state of ['activating', 'activated'] as const) {
      const { isActive, active } = whenActive(worker(state));
      expect(isActive()).toBe(true);
      await active;
    }
  });

  it('that is new waits until it is activated, whatever else it is told', async () => {
    for (const state of ['parsed', 'installing', 'installed'] as const) {
      const scope = worker(state);
      const { isActive, active } = whenActive(scope);
      for (const type of ['install', 'message', 'fetch']) scope.dispatchEvent(new Event(type));
      expect([isActive(), await isOver(active)]).toEqual([false, false]);
      scope.dispatchEvent(new Event('activate'));
      expect(isActive()).toBe(true);
      await active;
    }
  });

  it('that cannot see its state knows by its first event: none but install comes to a new one', async () => {
    for (const type of ['activate', 'fetch', 'message', 'push', 'sync']) {
      const scope = worker();
      const { isActive, active } = whenActive(scope);
      scope.dispatchEvent(new Event('install'));
      expect([isActive(), await isOver(active)]).toEqual([false, false]);
      scope.dispatchEvent(new Event(type));
      expect(isActive()).toBe(true);
      await active;
    }
  });
});
