import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, type ChromiumEngine } from '../browsers/chromium.ts';
import { findBrowser } from '../browsers/find-browsers.ts';
import type { PlaywrightTab } from '../browsers/playwright-engine.ts';
import { builtApp, type Strategy } from './built-app.ts';
import { oldBodies, oldRows, outboxRows } from './in-the-page.ts';
import { startSite, type Site } from '../peer/site.ts';

const installed = findBrowser('chromium') !== undefined;
const controlled = 'navigator.serviceWorker.controller?.state === "activated" && typeof save === "function"';

describe.skipIf(!installed)('an app that has used Workbox so far', () => {
  const releases = new Map<Strategy, { readonly old: Map<string, string>; readonly next: Map<string, string> }>();
  let engine: ChromiumEngine;
  let site: Site | undefined;

  beforeAll(async () => {
    const build = async (strategy: Strategy) => {
      const [old, next] = await Promise.all([builtApp(strategy, 'workbox'), builtApp(strategy, 'holdfast')]);
      releases.set(strategy, { old, next });
    };
    await build('injectManifest');
    await build('generateSW');
    engine = await launchChromium();
  });
  afterEach(async () => site?.stop());
  afterAll(async () => engine?.close());

  function release(files: Map<string, string>): void {
    for (const path of site!.files.keys()) site!.files.delete(path);
    for (const [path, content] of files) site!.files.set(path, content);
  }

  /** While it may not, Workbox leaves its queue alone, which it would turn over in a replay without a network. */
  async function maySync(tab: PlaywrightTab, setting: 'denied' | 'granted'): Promise<void> {
    const devtools = await engine.context.newCDPSession(tab.page);
    const permission = { name: 'background-sync' };
    await devtools.send('Browser.setPermission', { permission, setting, origin: site!.url });
    await devtools.detach();
  }

  for (const strategy of ['injectManifest', 'generateSW'] as const) {
    it(`changes one line (${strategy}) with five requests pending: all five arrive, once, in the order Workbox had them`, async () => {
      const { old, next } = releases.get(strategy)!;
      site = await startSite(old);
      const tab = (await engine.newTab()) as PlaywrightTab;
      await tab.open(site.url);
      await maySync(tab, 'denied');
      await tab.waitFor(controlled);

      await site.stop();
      for (let n = 1; n <= 5; n += 1) {
        const saving = `save("/__echo/notes?run=${strategy}", { note: ${n} })`;
        expect(await tab.evaluate(saving)).toBe('queued');
      }
      await tab.waitFor(async () => (await indexedDB.databases()).length > 0);
      await tab.waitFor(`(${String(oldRows)})().then((rows) => rows === 5)`);

      // Mostly as they were made; a replay at the start of the old worker can have turned its queue over.
      const line = await tab.evaluate<string[]>(`(${String(oldBodies)})()`);
      expect([...line].sort()).toEqual([1, 2, 3, 4, 5].map((n) => `{"note":${n}}`));

      await maySync(tab, 'granted');
      release(next);
      await site.start();
      await tab.evaluate(
        'navigator.serviceWorker.ready.then((registration) => registration.update()).then(() => true)',
      );
      const delivered = `(${String(outboxRows)})().then((rows) => rows?.filter(({ state }) => state === "delivered").length === 5 && rows)`;
      const rows = await tab.waitFor<{ tries: number; key: string }[]>(delivered, undefined, 60_000);
      expect(rows).toMatchObject([1, 2, 3, 4, 5].map(() => ({ tries: 1 })));

      const arrived = await site.arrived(strategy);
      const notes = arrived.map(({ bodyBase64 = '' }) => Buffer.from(bodyBase64, 'base64').toString());
      expect(notes).toEqual(line);
      const keys = arrived.map(
        ({ headers }) => headers.find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1],
      );
      expect(keys).toEqual(rows.map(({ key }) => `"${key}"`));
      await tab.waitFor(`(${String(oldRows)})().then((count) => count === undefined)`);

      // The next one takes the new way from the start.
      expect(await tab.evaluate(`save("/__echo/notes?run=${strategy}", { note: 6 })`)).toBe(200);
      await tab.close();
    });
  }
});
