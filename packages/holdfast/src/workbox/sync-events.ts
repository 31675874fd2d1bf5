/*
 * Background Sync is in no TypeScript library. These are the declarations that workbox-background-sync makes, word for word
 * compatible, so that a worker that relied on them compiles after the import was changed.
 */

export interface SyncManager {
  getTags(): Promise<string[]>;
  register(tag: string): Promise<void>;
}

declare global {
  interface ServiceWorkerRegistration {
    readonly sync: SyncManager;
  }

  interface SyncEvent extends ExtendableEvent {
    readonly lastChance: boolean;
    readonly tag: string;
  }

  interface ServiceWorkerGlobalScopeEventMap {
    sync: SyncEvent;
  }
}

declare const self: ServiceWorkerGlobalScope;

/** The tag under which the browser knows a queue: Workbox's, so that what is registered already goes on. */
export function tagOfQueue(name: string): string {
  return `workbox-background-sync:${name}`;
}

export function offersSync(forceSyncFallback: boolean): boolean {
  return 'sync' in self.registration && !forceSyncFallback;
}

/** One listener for one queue. `handle` is called at once, and its promise keeps the worker alive. */
export function onSyncOf(name: string, handle: (lastChance: boolean) => Promise<void>): void {
  self.addEventListener('sync', (event) => {
    if (event.tag === tagOfQueue(name)) event.waitUntil(handle(event.lastChance));
  });
}

/** @returns whether the browser took it; it refuses where people switched it off (Brave), and with no window open */
export async function askForSync(name: string): Promise<boolean> {
  try {
    await self.registration.sync.register(tagOfQueue(name));
    return true;
  } catch {
    return false;
  }
}
