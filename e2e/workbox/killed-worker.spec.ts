import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, type ChromiumEngine } from '../browsers/chromium.ts';
import { findBrowser } from '../browsers/find-browsers.ts';
import type { PlaywrightTab } from '../browsers/playwright-engine.ts';
import { builtApp, type Library } from './built-app.ts';
import { oldRows, outboxRows } from './in-the-page.ts';
import { startSite, type Site } from '../peer/site.ts';

const installed = findBrowser('chromium') !== undefined;
const controlled = 'navigator.serviceWorker.controller?.state === "activated" && typeof save === "function"';

describe.skipIf(!installed)('a worker that dies while a request is on its way', () => {
  let engine: ChromiumEngine;
  const sites: Site[] = [];

  beforeAll(async () => {
    engine = await launchChromium();
  });
  afterAll(async () => {
    await engine?.close();
    for (const site of sites) await site.stop();
  });

  /** A request is queued, sent by a sync event to a server that takes it and says nothing, and the worker is ended. */
  async function dieSending(library: Library): Promise<{ site: Site; tab: PlaywrightTab }> {
    const site = await startSite(await builtApp('injectManifest', library));
    sites.push(site);
    const tab = (await engine.newTab()) as PlaywrightTab;
    await tab.open(site.url);
    await tab.waitFor(controlled);
    await site.stop();
    expect(await tab.evaluate(`save("/__echo/notes?run=${library}", { note: 1 })`)).toBe('queued');
    const rows = library === 'workbox' ? `(${String(oldRows)})().then((count) => count === 1)` : stored;
    await tab.waitFor(rows);

    site.silence(true);
    await site.start();
    await sync(site, tab);
    await arrivals(site, library, 1);
    await engine.stopWorkers();
    site.silence(false);
    return { site, tab };
  }

  /** The browser's sync event, when we want it and not when the browser does. */
  async function sync(site: Site, tab: PlaywrightTab): Promise<void> {
    const devtools = await engine.context.newCDPSession(tab.page);
    const registrationId = await new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const ours = registrations.find(({ scopeURL }) => scopeURL === `${site.url}/`);
        if (ours) resolve(ours.registrationId);
      });
      void devtools.send('ServiceWorker.enable');
    });
    const tag = 'workbox-background-sync:notes';
    await devtools.send('ServiceWorker.dispatchSyncEvent', {
      origin: site.url,
      registrationId,
      tag,
      lastChance: false,
    });
    await devtools.detach();
  }

  const stored = `(${String(outboxRows)})().then((rows) => rows?.length === 1)`;

  async function arrivals(site: Site, run: string, count: number): Promise<void> {
    while ((await site.arrived(run)).length < count) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  it('has lost it with Workbox, which deletes before it sends', async () => {
    const { tab } = await dieSending('workbox');
    expect(await tab.evaluate(oldRows)).toBe(0);
    await tab.close();
  });

  it('has it in the queue with Holdfast, and sends it again under the same key', async () => {
    const { site, tab } = await dieSending('holdfast');
    expect(await tab.evaluate(outboxRows)).toMatchObject([{ state: 'sending' }]);
    await sync(site, tab);
    const delivered = `(${String(outboxRows)})().then((rows) => rows?.[0]?.state === "delivered" && rows)`;
    const [row] = await tab.waitFor<{ key: string }[]>(delivered, undefined, 60_000);
    const arrived = await site.arrived('holdfast');
    const keys = arrived.map(({ headers }) => headers.find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1]);
    expect(keys).toEqual([`"${row?.key}"`, `"${row?.key}"`]);
    await tab.close();
  });
});
