import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, Tab } from '../browsers/engine.ts';
import { enginesUnderTest } from '../browsers/engines-under-test.ts';
import { launch } from '../browsers/launch.ts';
import type { Site } from '../peer/site.ts';
import { openTab, type Page, platformSite, sees, textsOf, write } from './platform-site.ts';

/** What is left on the device of this app, and what `uninstall` said. */
const uninstall = (tab: Tab, force = false): Promise<{ said: string; workers: number; databases: number }> =>
  tab.evaluate(async (force: boolean) => {
    const said = await (window as unknown as Page).app.uninstall(force);
    const workers = (await navigator.serviceWorker.getRegistrations()).length;
    return { said, workers, databases: (await indexedDB.databases()).length };
  }, force);

describe.each(enginesUnderTest)('$name', ({ name, installed }) => {
  let engine: Engine;
  let site: Site;
  beforeAll(async () => {
    if (!installed) return;
    engine = await launch(name);
    site = await platformSite();
  });
  afterAll(async () => {
    await engine?.close();
    await site?.stop();
  });

  it.skipIf(!installed)(
    'a release without the worker sends what the worker had kept, once; an outbox is not removed before that',
    async () => {
      const old = await openTab(engine, site, '');
      await site.stop();
      expect(await write(old, 'orphans', ['1', '2'])).toEqual([202, 202]);

      // Refused by what waits, whoever asks; nothing was touched.
      expect(await uninstall(old)).toMatchObject({ said: 'still-pending', workers: 1, databases: 1 });
      await old.evaluate(async () => {
        await (await navigator.serviceWorker.getRegistration())?.unregister();
        return true;
      });
      await old.close();

      await site.start();
      const next = await openTab(engine, site, 'alone');
      await sees(next, 2);
      expect(await textsOf(site, 'orphans')).toEqual(['1', '2']);
      expect(await uninstall(next)).toEqual({ said: '', workers: 0, databases: 0 });
      await next.close();
    },
  );

  it.skipIf(!installed)('a worker that was put in place of ours and answers anybody is not left to send', async () => {
    const worker = site.files.get('/worker.js');
    site.files.set(
      '/worker.js',
      `addEventListener('install', () => skipWaiting());
       addEventListener('activate', (event) => event.waitUntil(clients.claim()));
       addEventListener('message', ({ ports }) => ports[0]?.postMessage({ error: 'unknown command' }));`,
    );
    const tab = await engine.newTab();
    await tab.open(site.url);
    await tab.waitFor(
      () =>
        new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }: MessageEvent<{ error?: string }>) => resolve(data.error === 'unknown command');
          navigator.serviceWorker.controller?.postMessage('who is there?', [port2]);
          setTimeout(() => resolve(false), 500);
        }),
    );
    await site.stop();
    expect(await write(tab, 'switched-off', ['1'])).toEqual([202]);
    await site.start();
    await sees(tab, 1);
    expect(await textsOf(site, 'switched-off')).toEqual(['1']);
    expect(await tab.evaluate(() => (window as unknown as Page).app.outbox.status().sender)).toBe('page');
    expect(await uninstall(tab)).toMatchObject({ said: '', workers: 0 });
    await tab.close();
    site.files.set('/worker.js', worker ?? '');
  });
});
