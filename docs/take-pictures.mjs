// Makes the pictures of README and docs from the running demo: `PORT=4310 npm run demo`, then `node docs/take-pictures.mjs http://localhost:4310`.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { chromium } = createRequire(new URL('../e2e/package.json', import.meta.url))('playwright');
const url = process.argv[2] ?? 'http://localhost:4310';
const folder = join(import.meta.dirname, 'pictures');
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

const faults = (mode) =>
  fetch(`${url}/__faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode }),
  });

/** Records made in the page as its form makes them. */
const record = (page, texts) =>
  page.evaluate(async (notes) => {
    const sites = [...document.querySelectorAll('a[data-site]')].map((link) => link.dataset.site);
    for (const [i, text] of notes.entries()) {
      const body = JSON.stringify({
        siteId: sites[i % sites.length],
        text,
        rating: 2 + (i % 4),
        createdAt: Date.now(),
      });
      await fetch(`/api/notes/${crypto.randomUUID()}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body,
      });
    }
  }, texts);

await fetch(`${url}/__reset`, { method: 'POST' });
await faults('ok');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  for (const { name, ...options } of [
    { name: 'desktop', viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
    { name: 'phone', viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
    { name: 'dark', viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1, colorScheme: 'dark' },
  ]) {
    await faults('ok');
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForFunction(() => navigator.serviceWorker.controller && window.outbox?.status().sender === 'worker');
    await page.waitForSelector('a[data-site]');
    await record(page, ['Gate seals are dry, greased']);
    await page.evaluate(() => window.outbox.whenIdle());
    await faults('refuse');
    await record(page, ['Bearing runs warm', 'Ladder is loose', 'Lamp replaced']);
    await page.waitForFunction(() => window.outbox.getSnapshot().counts.pending >= 3);
    if (name === 'phone') await page.click('.dock-button');
    await page.waitForTimeout(800);
    await page.screenshot({ path: join(folder, `demo-${name}.png`) });
    await page
      .locator('outbox-panel')
      .screenshot({ path: join(folder, `panel-${name}.png`) })
      .catch(() => undefined);
    if (name === 'desktop') {
      await page.click('#tab-simulator');
      await page.waitForFunction(() => document.querySelectorAll('policy-simulator tbody tr').length === 3, undefined, {
        timeout: 120_000,
      });
      await page.locator('policy-simulator figure').screenshot({ path: join(folder, 'simulator.png') });
    }
    await context.close();
  }
} finally {
  await faults('ok');
  await browser.close();
}
