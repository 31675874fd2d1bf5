import type { System } from '../ports';
import { persistentStorage, storageManager } from './supports';

/**
 * Whether the browser may throw the outbox away under pressure. `unknown`: it did not say (no API, as in every worker, or
 * no answer in time: Firefox may ask a person, who may never answer).
 */
export type Persistence = 'persisted' | 'best-effort' | 'unknown';

/** How long to wait for a browser that asks a person, milliseconds. */
const PATIENCE_MS = 10_000;

/** Asks to be kept. Only pages can; ask at the first enqueue, when a person can see why. Never rejects. */
export async function askToPersist(system: Pick<System, 'timer'>): Promise<Persistence> {
  const storage = persistentStorage();
  return storage ? said(await inTime(system, storage.persist())) : isPersisted(system);
}

/** What the browser decided, without asking. Never rejects. */
export async function isPersisted(system: Pick<System, 'timer'>): Promise<Persistence> {
  const storage = storageManager();
  return storage ? said(await inTime(system, storage.persisted())) : 'unknown';
}

function said(answer: boolean | undefined): Persistence {
  return answer === undefined ? 'unknown' : answer ? 'persisted' : 'best-effort';
}

/** How full the origin's storage is, in bytes; both are estimates. Undefined where the engine does not say. Never rejects. */
export async function storageRoom(
  system: Pick<System, 'timer'>,
): Promise<{ readonly usedBytes: number; readonly quotaBytes: number } | undefined> {
  const storage = storageManager();
  const estimate = storage && (await inTime(system, storage.estimate()));
  if (estimate?.quota === undefined || estimate.usage === undefined) return undefined;
  return { usedBytes: estimate.usage, quotaBytes: estimate.quota };
}

/** Undefined when it fails or takes too long. */
function inTime<T>(system: Pick<System, 'timer'>, promise: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const cancel = system.timer(PATIENCE_MS, () => resolve(undefined));
    promise.then(resolve, () => resolve(undefined)).finally(cancel);
  });
}
