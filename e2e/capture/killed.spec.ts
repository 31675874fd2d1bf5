import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../browsers/engine.ts';
import { enginesUnderTest } from '../browsers/engines-under-test.ts';
import { launch } from '../browsers/launch.ts';
import type { Site } from '../peer/site.ts';
import type { CaptureApp, Heard } from './app/page.ts';
import { headerOf, serveCapture, workerSends } from './app-server.ts';

type Page = Window & { readonly app: CaptureApp; answer?: Promise<Heard> };

const tested = (name: string): boolean => enginesUnderTest.some((one) => one.name === name && one.installed);

describe('a worker that is killed while it answers the page', () => {
  let served: Site;
  let engine: Engine | undefined;

  beforeAll(async () => {
    served = await serveCapture();
  });
  afterAll(async () => {
    await engine?.close();
    await served.stop();
  });

  /** A write to a server that takes it and says nothing; resolves when it has it. */
  async function begin(
    name: 'chromium' | 'firefox',
    by: 'fetch' | 'outbox',
    url: string,
    run: string,
  ): Promise<Engine> {
    await engine?.close();
    engine = await launch(name, { overWorkers: true });
    await engine.open(served.url);
    await engine.waitFor(workerSends);
    await engine.evaluate(
      ({ by, url }: { by: 'fetch' | 'outbox'; url: string }) => {
        const page = window as unknown as Page;
        page.answer = page.app.send('JSON', by, url);
        return true;
      },
      { by, url },
    );
    await arrivals(run, 1);
    return engine;
  }

  async function arrivals(run: string, count: number): Promise<(string | undefined)[]> {
    for (;;) {
      const records = await served.arrived(run);
      if (records.length >= count) return records.map((record) => headerOf(record, 'idempotency-key'));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  const heard = (run: string) => async (tab: Engine) =>
    tab.evaluate(async (run: string) => {
      const { app, answer } = window as unknown as Page;
      const { status, entry } = (await answer) ?? { status: -1, entry: null };
      const entries = (await app.outbox.list()).filter(({ url }) => url.includes(run));
      return { status, found: entries.map(({ id }) => id === entry) };
    }, run);

  it.skipIf(!tested('chromium'))(
    'Chromium asks the next one, which knows the request again: one key, one entry',
    async () => {
      const tab = await begin('chromium', 'fetch', '/__echo/kept?mode=hang&run=again', 'again');
      await tab.stopWorkers?.();
      const keys = await arrivals('again', 2);
      expect(new Set(keys).size).toBe(1);
      await served.stop();
      expect(await heard('run=again')(tab)).toEqual({ status: 202, found: [true] });
      await served.start();
    },
  );

  it.skipIf(!tested('firefox'))(
    'Firefox leaves the page waiting, and the wrapper finds the entry by its key',
    async () => {
      const tab = await begin('firefox', 'outbox', '/__echo/doomed?mode=hang&run=waiting', 'waiting');
      await tab.stopWorkers?.();
      expect(await heard('run=waiting')(tab)).toEqual({ status: 202, found: [true] });
      const keys = await arrivals('waiting', 1);
      expect(new Set(keys).size).toBe(1);
    },
  );
});
