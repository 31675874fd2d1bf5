import type { WorkboxPlugin } from 'workbox-core/types.js';
import { keyValue } from '../core/wire';
import { isBodiless } from './request-data';
import { queueOutbox } from './outbox';

/**
 * Puts the key on the first attempt too. Workbox's own plugin sees a request only when it has failed, so its first attempt
 * carries no key, and a server that did the work but could not say so does it again. Put this plugin before the
 * `BackgroundSyncPlugin` of the same strategy; a key the app has set is kept. Cross-origin only where
 * `configureQueues({ key: { crossOrigin } })` names the target, since the header causes a preflight.
 */
export class IdempotencyKeyPlugin implements WorkboxPlugin {
  requestWillFetch: NonNullable<WorkboxPlugin['requestWillFetch']> = async ({ request }) => {
    const { config, origin, system } = queueOutbox().context;
    const target = new URL(request.url).origin;
    const allowed = target === origin || config.key.crossOrigin.includes(target);
    // A navigation cannot be made anew with another header.
    if (
      isBodiless(request.method) ||
      !allowed ||
      request.mode === 'navigate' ||
      request.headers.has(config.key.header)
    ) {
      return request;
    }
    const headers = new Headers(request.headers);
    headers.set(config.key.header, keyValue(system.id(), config.key));
    return new Request(request, { headers });
  };
}
