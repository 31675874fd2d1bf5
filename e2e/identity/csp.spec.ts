import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../browsers/engine.ts';
import { findBrowser } from '../browsers/find-browsers.ts';
import { launch } from '../browsers/launch.ts';
import type { SmallApp } from './app/page.ts';
import { buildApp } from './build-app.ts';
import { startSite, type Site } from '../peer/site.ts';

type Page = Window & { readonly app: SmallApp };

const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "require-trusted-types-for 'script'",
  // `app` is the small app's own: it registers its worker with it.
  'trusted-types lit-html app',
].join('; ');

const installed = findBrowser('chromium') !== undefined;

describe.skipIf(!installed)('under a strict content security policy with Trusted Types', () => {
  let served: Site;
  let engine: Engine;

  beforeAll(async () => {
    served = await startSite(await buildApp(), { 'content-security-policy': policy });
    engine = await launch('chromium');
    await engine.open(served.url);
    await engine.waitFor(
      'navigator.serviceWorker.controller !== null && window.app.outbox.status().sender === "worker"',
    );
  });
  afterAll(async () => {
    await engine?.close();
    await served?.stop();
  });

  /** What the policy would not have, in the page and in its worker. */
  const violations = (): Promise<unknown> =>
    engine.evaluate(async () => {
      const { port1, port2 } = new MessageChannel();
      const told = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
      navigator.serviceWorker.controller?.postMessage('violations', [port2]);
      return [...(window as unknown as Page).app.violations, ...((await told) as string[])];
    });

  const inPanel = 'document.querySelector("outbox-panel").shadowRoot';

  it('the panel draws and styles itself, a write is kept and delivered, and nothing is violated', async () => {
    await served.stop();
    const status = await engine.evaluate(
      async () => (await fetch('/__echo?run=csp', { method: 'POST', body: '{"n":1}' })).status,
    );
    expect(status).toBe(202);
    await engine.waitFor(`${inPanel}.querySelector("[data-act=fold]") !== null`);
    await engine.click('outbox-panel [data-act=fold]');
    await engine.waitFor(`${inPanel}.querySelector("[data-act=content]") !== null`);
    await engine.click('outbox-panel [data-act=content]');
    await engine.waitFor(`[...${inPanel}.querySelectorAll("pre")].some((one) => one.textContent.includes('"n": 1'))`);
    expect(await engine.evaluate(`getComputedStyle(${inPanel}.querySelector(".panel")).display`)).not.toBe('inline');

    await served.start();
    await engine.evaluate(async () => {
      const { outbox } = (window as unknown as Page).app;
      await outbox.flush({ force: true });
      await outbox.whenIdle();
      return true;
    });
    expect(await served.arrived('csp')).toMatchObject([{ method: 'POST', lengthBytes: 7 }]);
    await engine.waitFor(`${inPanel}.textContent.includes("Confirmed by server")`);
    expect(await violations()).toEqual([]);
  });

  it('the policy is in force: what it forbids is refused, and heard of', async () => {
    const threw = await engine.evaluate(() => {
      try {
        document.createElement('div').innerHTML = '<b>no</b>';
        return '';
      } catch (error) {
        return (error as Error).name;
      }
    });
    expect(threw).toBe('TypeError');
    await engine.waitFor('window.app.violations.length > 0');
  });
});
