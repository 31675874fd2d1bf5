/** What is asked of the worker's global; in tests a stand-in. */
export type WorkerEvents = Pick<ServiceWorkerGlobalScope, 'addEventListener'> & {
  /** Firefox has none (153). */
  readonly serviceWorker?: Pick<ServiceWorker, 'state'>;
};

export interface Activity {
  /** Whether this worker is the one that works now, as far as is known. */
  isActive(): boolean;
  /** Resolves when it is. */
  readonly active: Promise<void>;
}

/** Events that only an active worker gets. */
const atWork = ['activate', 'fetch', 'message', 'push', 'sync'] as const;

/**
 * A new worker's script runs while the old worker still serves its pages. Until the new one is active it must not touch what
 * the old one is sending: both would send it. Call it while the script runs for the first time.
 */
export function whenActive(worker: WorkerEvents): Activity {
  let active = worker.serviceWorker?.state === 'activated' || worker.serviceWorker?.state === 'activating';
  let tell = (): void => undefined;
  const known = new Promise<void>((resolve) => (tell = resolve));
  const now = (): void => {
    active = true;
    tell();
  };
  if (active) tell();
  else {
    // Without `serviceWorker` a restarted worker learns by its first event that it is at work; otherwise one is enough.
    const telling = worker.serviceWorker ? (['activate'] as const) : atWork;
    for (const type of telling) worker.addEventListener(type, now, { once: true });
  }
  return { isActive: () => active, active: known };
}
