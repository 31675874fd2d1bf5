import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from '../browsers/chromium.ts';
import type { EngineName, Tab } from '../browsers/engine.ts';
import { enginesUnderTest } from '../browsers/engines-under-test.ts';
import { launchFirefox } from '../browsers/firefox.ts';
import { playwrightTab } from '../browsers/playwright-engine.ts';
import type { Site } from '../peer/site.ts';
import { type Page, platformSite, sees, textsOf, write } from './platform-site.ts';

const tested = (name: EngineName): boolean => enginesUnderTest.some((one) => one.name === name && one.installed);

describe('a private window beside a normal one', () => {
  let site: Site;
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'holdfast-private-'));
    site = await platformSite();
  });
  afterEach(async () => {
    await site.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function opened(tab: Tab): Promise<Tab> {
    await tab.open(site.url);
    await tab.waitFor('window.app?.outbox.getSnapshot().ready');
    return tab;
  }

  /** What the outbox of this window says of itself. */
  const says = (tab: Tab) =>
    tab.evaluate(async () => {
      const { outbox } = (window as unknown as Page).app;
      const { durability, persisted, sender, limits } = outbox.status();
      const waiting = (await outbox.list()).filter(({ state }) => state !== 'delivered').length;
      return { waiting, durability, persisted, sender, limits: limits.map(({ code }) => code) };
    });

  const flush = (tab: Tab) =>
    tab.evaluate(async () => {
      await (window as unknown as Page).app.outbox.flush({ force: true });
      return true;
    });

  it.skipIf(!tested('chromium'))('in Chromium has a queue of its own', async () => {
    const engine = await launchChromium({ profile: folder });
    try {
      const normal = await opened(engine);
      const hidden = await engine.context.browser()!.newContext();
      const secret = await opened(playwrightTab(await hidden.newPage()));
      for (const tab of [normal, secret]) await tab.waitFor('window.app.outbox.status().sender === "worker"');
      await site.stop();
      expect(await write(normal, 'normal', ['1', '2'])).toEqual([202, 202]);
      expect(await write(secret, 'secret', ['3'])).toEqual([202]);
      // No browser tells a page that it is in a private window; that its storage may go is all it says.
      expect(await says(normal)).toMatchObject({ waiting: 2, durability: 'durable' });
      expect(await says(secret)).toMatchObject({ waiting: 1, durability: 'durable', persisted: 'no' });
      await site.start();
      for (const tab of [normal, secret]) await flush(tab);
      await sees(normal, 2);
      await sees(secret, 1);
      expect(await textsOf(site, 'normal')).toEqual(['1', '2']);
      expect(await textsOf(site, 'secret')).toEqual(['3']);
      await hidden.close();
    } finally {
      await engine.close();
    }
  });

  it.skipIf(!tested('firefox'))(
    'in Firefox neither shows nor sends what the other keeps, and says that its own may go',
    async () => {
      const within = async (isPrivate: boolean, work: (tab: Tab) => Promise<void>): Promise<void> => {
        const engine = await launchFirefox({
          profile: folder,
          prefs: { 'browser.privatebrowsing.autostart': isPrivate },
        });
        try {
          await work(await opened(engine));
        } finally {
          await engine.close();
        }
      };
      await within(false, async (tab) => {
        await tab.waitFor('window.app.outbox.status().sender === "worker"');
        await site.stop();
        expect(await write(tab, 'normal', ['1', '2'])).toEqual([202, 202]);
        await tab.waitFor('window.app.outbox.status().persisted === "yes"');
      });
      await site.start();
      await within(true, async (tab) => {
        expect(await says(tab)).toMatchObject({ waiting: 0 });
        await site.stop();
        expect(await write(tab, 'secret', ['3'])).toEqual([202]);
        expect(await says(tab)).toMatchObject({ waiting: 1, persisted: 'no' });
      });
      await site.start();
      expect(await textsOf(site, 'normal')).toEqual([]);
      await within(false, async (tab) => {
        await flush(tab);
        await sees(tab, 2);
      });
      expect(await textsOf(site, 'normal')).toEqual(['1', '2']);
      expect(await textsOf(site, 'secret')).toEqual([]);
    },
  );
});
