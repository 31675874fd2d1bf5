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
    engine = await launch(name);
  });
  afterAll(() => engine?.close());
  // An outbox that nothing has reached yet: a failure soon after an answer would be held against its request.
  beforeEach(async () => void (site = await platformSite()));
  afterEach(() => site.stop());

  it.skipIf(!installed)(
    'an `online` event before the network really works costs nothing, and all is sent',
    async () => {
      const tab = await openTab(engine, site, '');
      await site.stop();
      expect(await write(tab, 'early', ['1', '2'])).toEqual([202, 202]);
      await tab.evaluate(() => (window as unknown as Page).app.say(['offline', 'online']));
      await tab.waitFor('window.app.outbox.list().then((all) => all.every((one) => one.attempts === 0) && all.length)');
      await site.start();
      await sees(tab, 2);
      expect(await textsOf(site, 'early')).toEqual(['1', '2']);
      await tab.close();
    },
  );

  it.skipIf(!installed)('a network that flaps twenty times costs no attempt, and nothing is sent twice', async () => {
    const [tab, other] = [await openTab(engine, site, ''), await openTab(engine, site, '')];
    const run = 'flaps';
    await site.stop();
    expect(await write(tab, run, ['1', '2', '3'])).toEqual([202, 202, 202]);
    for (let flap = 0; flap < 20; flap += 1)
      for (const one of [tab, other])
        await one.evaluate(() => (window as unknown as Page).app.say(['offline', 'online']));
    const waiting = await tab.evaluate(async () =>
      (await (window as unknown as Page).app.outbox.list()).filter(({ state }) => state !== 'delivered'),
    );
    expect(waiting.map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
    await site.start();
    // The last event is true.
    await tab.evaluate(() => (window as unknown as Page).app.say(['online']));
    for (const one of [tab, other]) await sees(one, 3);
    expect(await textsOf(site, run)).toEqual(['1', '2', '3']);
    for (const one of [tab, other]) await one.close();
  });

  it.skipIf(!installed)('a lock that is stolen again and again ends nothing, and nothing is sent twice', async () => {
    // No worker: then every tab wants the lock.
    const [tab, other] = [await openTab(engine, site, 'alone'), await openTab(engine, site, 'alone')];
    await site.stop();
    const texts = Array.from({ length: 8 }, (_, nth) => String(nth));
    expect(await write(tab, 'theft&delayMs=400', texts)).toEqual(texts.map(() => 202));
    await site.start();
    // As a page of somebody else's might: it takes the lock from whoever has it, and lets it go.
    await other.evaluate(() => {
      const steal = (): void => {
        void navigator.locks.request('holdfast:platforms:drain', { steal: true }, () => undefined);
        (window as unknown as Page).app.say(['online']);
      };
      for (let theft = 0; theft < 20; theft += 1) setTimeout(steal, theft * 150);
    });
    await sees(tab, 8);
    expect(await textsOf(site, 'theft')).toEqual(texts);
    for (const one of [tab, other]) await one.close();
  });
});
