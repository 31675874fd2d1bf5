import type { Engine } from '../browsers/engine.ts';
import type { PlaywrightEngine } from '../browsers/playwright-engine.ts';

/**
 * Chromium's sync event, when we want it and not when the browser does.
 * @param path the scope of the worker
 */
export async function dispatchSync(engine: Engine, origin: string, path: string, tag: string): Promise<void> {
  const { context, page } = engine as PlaywrightEngine;
  const devtools = await context.newCDPSession(page);
  const registrationId = await new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL === `${origin}${path}`);
      if (ours) resolve(ours.registrationId);
    });
    void devtools.send('ServiceWorker.enable');
  });
  await devtools.send('ServiceWorker.dispatchSyncEvent', { origin, registrationId, tag, lastChance: false });
  await devtools.detach();
}
