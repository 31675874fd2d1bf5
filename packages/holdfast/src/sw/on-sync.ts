import { hasBackgroundSync } from '../browser/supports';
import { atMost } from '../flow/at-most';
import { log } from '../flow/context';
import type { Engine } from '../flow/engine';

declare const self: ServiceWorkerGlobalScope;

interface SyncEventLike extends ExtendableEvent {
  readonly tag: string;
}

interface WithSync {
  readonly sync: { register(tag: string): Promise<void> };
}

/** What the browser is told while anything waits. */
const stillWaiting = new Error('requests still wait; the browser may call again');

/** Background Sync is one more hint: it may come late, refuse, give up after its last chance, or not exist. */
export function onSync(engine: Engine): void {
  const tag = tagOf(engine);
  const wake = (event: Event): void => {
    const sync = event as SyncEventLike;
    if (sync.tag === tag) sync.waitUntil(drainAll(engine));
  };
  self.addEventListener('sync', wake);
  self.addEventListener('periodicsync', wake);
  // Chromium would write it to the console, where it is nobody's mistake.
  self.addEventListener('unhandledrejection', (event) => event.reason === stillWaiting && event.preventDefault());
}

/**
 * While anything waits the event must not end well: a fulfilled `waitUntil` removes the registration, and with no window
 * open a worker cannot register again (Background Sync, "InvalidAccessError").
 */
export async function drainAll(engine: Engine): Promise<void> {
  await engine.drain.wake('sync');
  const book = await engine.context.store.transact('read', (rows) => rows.control('book'));
  const waiting = Object.values(book?.subjects ?? {}).reduce((sum, { pending, sending }) => sum + pending + sending, 0);
  if (waiting > 0) throw stillWaiting;
}

/** How long the browser may take to note a registration, ms: an answer that never comes must not keep the worker for ever. */
const registerMs = 3_000;

/** Asks the browser to wake this worker when it thinks there is a network. Never rejects, and never hangs. */
export function createSyncHint(engine: Engine, registration: () => ServiceWorkerRegistration): () => Promise<void> {
  return async () => {
    const owner = registration();
    try {
      if (hasBackgroundSync(owner))
        await atMost(engine.context.system, registerMs, (owner as unknown as WithSync).sync.register(tagOf(engine)));
    } catch (error) {
      // Switched off (Brave, settings, some WebViews) or no window open: our own timers and the pages carry on.
      log(engine.context, { event: 'error', level: 'debug', message: `sync.register: ${String(error)}` });
    }
  };
}

function tagOf(engine: Engine): string {
  return `holdfast:${engine.context.config.name}`;
}
