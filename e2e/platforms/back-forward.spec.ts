import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../browsers/engine.ts';
import { enginesUnderTest } from '../browsers/engines-under-test.ts';
import { launch } from '../browsers/launch.ts';
import type { Site } from '../peer/site.ts';
import { openTab, type Page, platformSite, sees, textsOf, write } from './platform-site.ts';

describe.each(enginesUnderTest)('$name', ({ name, installed }) => {
  let engine: Engine;
  let site: Site;
  beforeAll(async () => {
    if (!installed) return;
    engine = await launch(name, { backForwardCache: true });
  });
  afterAll(() => engine?.close());
  // An origin of its own: a worker of the test before would be in control.
  beforeEach(async () => {
    site = await platformSite();
    site.files.set('/away', '<!doctype html><title>Away</title><link rel="icon" href="data:,">');
  });
  afterEach(() => site.stop());

  it.skipIf(!installed).each([
    { title: 'with a worker', query: '' },
    { title: 'without one', query: 'alone' },
  ])(
    'a page that comes back out of the cache, $title, shows the true queue and hears of every change again',
    // Which pages are kept is the engine's to decide, and a busy machine changes its mind.
    { retry: 2 },
    async ({ query }) => {
      const run = `back${query}`;
      const tab = await openTab(engine, site, query);
      const other = await openTab(engine, site, query);
      await other.evaluate(() => (window as unknown as Page).app.outbox.pause());
      expect(await write(tab, run, ['1', '2', '3'])).toEqual([202, 202, 202]);
      await tab.waitFor('window.app.outbox.getSnapshot().counts.pending === 3');
      await tab.evaluate('Object.assign(window, { sameAsBefore: true }) && true');

      // One that is left while it is at work is given up as soon as another wants to work, and loaded anew.
      await tab.waitFor('navigator.locks.query().then(({ held }) => held.length === 0)');
      await tab.open(`${site.url}/away`);
      await other.evaluate(() => (window as unknown as Page).app.outbox.resume());
      await sees(other, 3);
      await tab.evaluate('history.back()');
      // Not loaded anew: it lay in the cache while others spoke.
      await tab.waitFor('window.sameAsBefore === true');
      await sees(tab, 3);

      expect(await write(other, run, ['4'])).toEqual([200]);
      await other.evaluate(() => (window as unknown as Page).app.outbox.pause());
      expect(await write(other, run, ['5'])).toEqual([202]);
      await tab.waitFor('window.app.outbox.getSnapshot().counts.pending === 1');
      await other.evaluate(() => (window as unknown as Page).app.outbox.resume());
      await sees(tab, 4);
      expect(await textsOf(site, run)).toEqual(['1', '2', '3', '4', '5']);
      for (const one of [tab, other]) await one.close();
    },
  );
});
