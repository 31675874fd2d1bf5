import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChromiumEngine, launchChromium } from '../browsers/chromium.ts';
import { enginesUnderTest } from '../browsers/engines-under-test.ts';
import type { Site } from '../peer/site.ts';
import { serveCapture, workerSends } from './app-server.ts';

const tested = enginesUnderTest.some(({ name, installed }) => name === 'chromium' && installed);

/** The worker asks the server for one of these each time it starts, and for the other with each request it is shown. */
const starts = 'starts';
const reached = 'reached';

describe.skipIf(!tested)('reads that no route takes, in Chromium', () => {
  let served: Site;
  let engine: ChromiumEngine;

  beforeAll(async () => {
    served = await serveCapture();
    const worker = served.files.get('/worker.js') ?? '';
    served.files.set(
      '/worker.js',
      `
      fetch('/__echo/plain?run=${starts}');
      addEventListener('fetch', (event) => event.waitUntil(fetch('/__echo/plain?run=${reached}')));
      ${worker}`,
    );
    engine = await launchChromium();
  });
  afterAll(async () => {
    await engine?.close();
    await served?.stop();
  });

  /** How often the worker was started anew for these requests, each made while it was stopped. */
  async function startsFor(requests: readonly (readonly [method: string, path: string])[]): Promise<number> {
    const before = (await served.arrived(starts)).length;
    for (const [method, path] of requests) {
      await engine.stopWorkers();
      const status = await engine.evaluate(
        async ({ method, path }: { method: string; path: string }) => (await fetch(path, { method })).status,
        { method, path },
      );
      expect(status).toBe(200);
    }
    return (await served.arrived(starts)).length - before;
  }

  const reads = [
    ['GET', '/__echo/plain?x'],
    ['GET', '/saved'],
    ['GET', '/__echo/kept?x'],
  ] as const;

  it('do not start a worker that has nothing but the outbox in it, and its writes do', async () => {
    await engine.open(`${served.url}/?only-writes`);
    await engine.waitFor(workerSends);
    expect(await startsFor(reads)).toBe(0);
    expect(await startsFor([['POST', '/__echo/kept?run=write']])).toBe(1);
    expect(await served.arrived(reached)).toHaveLength(1);
    // A page is such a read too; Chromium starts the worker beside it and does not wait for it.
    await engine.open(`${served.url}/saved`);
    expect(await served.arrived(reached)).toHaveLength(1);
  });

  it('reach a worker that has more in it, unless it is told otherwise', async () => {
    await engine.open(`${served.url}/`);
    await engine.evaluate(async () => {
      await (await navigator.serviceWorker.getRegistration())?.unregister();
      return true;
    });
    await engine.open(`${served.url}/`);
    await engine.waitFor(workerSends);
    const before = (await served.arrived(reached)).length;
    expect(await startsFor(reads)).toBe(reads.length);
    expect((await served.arrived(reached)).length - before).toBe(reads.length);
  });
});
