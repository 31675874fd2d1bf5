import { hasBackgroundSync, hasBroadcastChannel, hasLocks } from '../browser/supports';
import type { OutboxStatus } from '../core/snapshot';
import type { Context } from '../flow/context';
import type { WhoSends } from './who-sends';

/** What this page can promise now. */
export function statusOf(context: Context, sends: WhoSends, persisted: OutboxStatus['persisted']): OutboxStatus {
  const store = context.store.status();
  const sync = 'ServiceWorkerRegistration' in self && hasBackgroundSync(ServiceWorkerRegistration.prototype);
  const limits: { code: string; message: string }[] = [];
  if (store.problem) limits.push(store.problem);
  if (!sends.controlled()) {
    limits.push({
      code: 'no-worker',
      message:
        'No service worker controls this page: only requests made through the outbox are kept, and they are sent while a page is open.',
    });
  }
  if (!sync)
    limits.push({
      code: 'no-background-sync',
      message: 'This browser has no Background Sync: waiting requests are sent while the app is open.',
    });
  if (!hasLocks())
    limits.push({
      code: 'no-locks',
      message: 'This browser has no Web Locks: only leases keep two tabs from sending at once.',
    });
  if (!hasBroadcastChannel())
    limits.push({
      code: 'no-broadcast',
      message: 'This browser has no BroadcastChannel: tabs look every few seconds what the others have done.',
    });
  return {
    durability: store.durability,
    persisted,
    sender: sends.byWorker() ? 'worker' : 'page',
    protected: sends.byWorker(),
    backgroundSync: sync,
    limits,
  };
}
