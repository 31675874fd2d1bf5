import type { ConsoleMessage } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../browsers/engine.ts';
import { enginesUnderTest } from '../browsers/engines-under-test.ts';
import { launch } from '../browsers/launch.ts';
import type { PlaywrightEngine } from '../browsers/playwright-engine.ts';
import { dispatchSync } from '../chaos/dispatch-sync.ts';
import type { Site } from '../peer/site.ts';
import type { CaptureApp } from './app/page.ts';
import { serveCapture, workerSends } from './app-server.ts';

type Page = Window & { readonly app: CaptureApp };

describe.each(enginesUnderTest)('the console of a production page, in $name', ({ name, installed }) => {
  let served: Site;
  let engine: Engine;
  /** What the engine shows there, whoever said it; where it can be read. */
  const shown: string[] = [];

  beforeAll(async () => {
    if (!installed) return;
    served = await serveCapture();
    engine = await launch(name);
    const { page } = engine as Partial<PlaywrightEngine>;
    page?.on('console', (message: ConsoleMessage) => shown.push(`${message.type()}: ${message.text()}`));
    page?.on('pageerror', (error: Error) => shown.push(String(error)));
  });
  afterAll(async () => {
    await engine?.close();
    await served?.stop();
  });

  it.skipIf(!installed)(
    'stays empty while requests fail, are kept, and are delivered, and nothing is left unhandled',
    async () => {
      await engine.open(served.url);
      await engine.waitFor(workerSends);
      await engine.reload();
      await engine.waitFor(workerSends);
      await served.stop();
      const ids = await engine.evaluate(async (run: string) => {
        const { app } = window as unknown as Page;
        const url = (nth: number) => `/__echo/kept?run=${run}-${nth}&status=500,201`;
        const heard = [await app.send('JSON', 'fetch', url(1)), await app.send('a form with files', 'outbox', url(2))];
        await app.outbox.flush({ force: true });
        return heard.map(({ entry }) => entry ?? '');
      }, name);
      // It is told to come again, as long as something waits.
      if (name === 'chromium') await dispatchSync(engine, served.url, '/', 'holdfast:capture');
      await served.start();
      const ends = await engine.evaluate(async (ids: readonly string[]) => {
        const { app } = window as unknown as Page;
        const ends = await Promise.all(ids.map((id) => app.finish(id)));
        await app.outbox.whenIdle();
        return { ends, said: await app.said() };
      }, ids);
      expect(ends).toEqual({ ends: ['delivered', 'delivered'], said: [] });
      expect(shown).toEqual([]);

      // The test can hear.
      await engine.evaluate(() => {
        console.warn('heard');
        void Promise.reject(new Error('nobody minds'));
      });
      await engine.waitFor('window.app.said().then((said) => said.length === 2)');
      if ('page' in engine) await expect.poll(() => shown.length).toBeGreaterThan(0);
    },
  );
});
