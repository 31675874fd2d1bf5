import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChromiumEngine, launchChromium } from '../browsers/chromium.ts';
import { findBrowser } from '../browsers/find-browsers.ts';
import { demoServer, type DemoServer } from './demo-server.ts';

const installed = findBrowser('chromium') !== undefined;

describe.skipIf(!installed)('the demo as an app on a device', () => {
  let server: DemoServer;
  let engine: ChromiumEngine;
  /** What the page's console had to say about anything wrong. */
  const complaints: string[] = [];

  beforeAll(async () => {
    server = await demoServer();
    await server.start();
    engine = await launchChromium();
    engine.page.on('pageerror', (error) => complaints.push(error.message));
    engine.page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) complaints.push(message.text());
    });
    await engine.open(server.url);
    await engine.waitFor('navigator.serviceWorker.controller !== null && window.outbox.status().sender === "worker"');
  });
  afterAll(async () => {
    await engine?.close();
    await server.close();
  });

  it('can be installed: Chromium has nothing against it', async () => {
    const devtools = await engine.context.newCDPSession(engine.page);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    expect(installabilityErrors).toEqual([]);
    const { errors, data } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    expect(JSON.parse(data ?? '{}')).toMatchObject({ display: 'standalone', start_url: '/' });
  });

  it('simulates policies and draws them, also without a server, and as its content security policy allows', async () => {
    await server.kill();
    await engine.click('#tab-simulator');
    const rows = await engine.waitFor<string[]>(
      '(() => { const rows = [...document.querySelectorAll("policy-simulator tbody th")].map((row) => row.textContent); return rows.length === 3 && rows; })()',
      undefined,
      90_000,
    );
    expect(rows).toEqual(['Outbox', 'Doubling, no jitter', 'Every 5 seconds']);
    const bars = await engine.evaluate<number>('document.querySelectorAll("policy-simulator figure svg rect").length');
    expect(bars).toBeGreaterThan(100);
    expect(complaints).toEqual([]);
  });

  it('opens every address from the device while the server is gone', async () => {
    for (const address of ['', '#/sites/north-lock', 'anything/else']) {
      await engine.open(`${server.url}${address}`);
      await engine.waitFor('document.querySelector("round-app .brand") !== null');
    }
  });
});
