import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, Tab } from '../browsers/engine.ts';
import { enginesUnderTest } from '../browsers/engines-under-test.ts';
import type { Site } from '../peer/site.ts';
import type { CaptureApp } from './app/page.ts';
import { headerOf, openCapture, serveCapture, workerSends } from './app-server.ts';

type Page = Window & { readonly app: CaptureApp };

describe.each(enginesUnderTest)('in $name', ({ name, installed }) => {
  let served: Site;
  let deaf: Site;
  let engine: Engine;
  let second: Tab;

  beforeAll(async () => {
    if (!installed) return;
    [served, deaf] = [await serveCapture(), await serveCapture()];
    engine = await openCapture(name, served);
    second = await engine.newTab();
    await second.open(served.url);
    await second.waitFor(workerSends);
  });
  afterAll(async () => {
    await engine?.close();
    for (const site of [served, deaf]) await site?.stop();
  });
  const promise = it.skipIf(!installed);

  /** A tab of the same server under another name, where it has no worker. */
  async function withoutWorker(): Promise<Tab> {
    const tab = await engine.newTab();
    await tab.open(`${served.url.replace('localhost', '127.0.0.1')}/?alone`);
    await tab.waitFor('window.app !== undefined');
    return tab;
  }

  /** Queues these without sending any, fires every trigger there is at once in each tab, and waits for the end. */
  async function triggered(tabs: readonly Tab[], urls: readonly string[]): Promise<readonly string[]> {
    const [first] = tabs as readonly [Tab];
    const ids = await first.evaluate(async (urls: readonly string[]) => {
      const { outbox } = (window as unknown as Page).app;
      await outbox.pause();
      const added = await Promise.all(urls.map((url) => outbox.add(url, { method: 'POST', body: 'x' })));
      await outbox.resume();
      return added.map(({ id }) => id);
    }, urls);
    const trigger = (tab: Tab): Promise<unknown> =>
      tab.evaluate(() => {
        const { outbox } = (window as unknown as Page).app;
        for (let round = 0; round < 5; round += 1) {
          window.dispatchEvent(new Event('online'));
          document.dispatchEvent(new Event('visibilitychange'));
          window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
          void outbox.flush({ force: true });
        }
        return true;
      });
    await Promise.all(tabs.map(trigger));
    return first.evaluate(
      (ids: readonly string[]) => Promise.all(ids.map((id) => (window as unknown as Page).app.finish(id))),
      ids,
    );
  }

  promise('all triggers of all tabs in one tick are one request for each item, whoever sends', async () => {
    const alone = await withoutWorker();
    const beside = await withoutWorker();
    for (const [who, tabs] of Object.entries({ worker: [engine, second], pages: [alone, beside] })) {
      const runs = [1, 2, 3, 4].map((nth) => `${name}-tick-${who}-${nth}`);
      const ends = await triggered(
        tabs,
        runs.map((run) => `/__echo/kept?run=${run}&delayMs=1000`),
      );
      expect(ends).toEqual(runs.map(() => 'delivered'));
      expect(await Promise.all(runs.map(async (run) => (await served.arrived(run)).length))).toEqual([1, 1, 1, 1]);
    }
    for (const tab of [alone, beside]) await tab.close();
  });

  promise('credentials are renewed once for all that waits, though every tab looks at the queue', async () => {
    const alone = await withoutWorker();
    const beside = await withoutWorker();
    for (const [who, tabs] of Object.entries({ worker: [engine, second], pages: [alone, beside] })) {
      const before = (await served.arrived('refresh')).length;
      const runs = [1, 2, 3, 4].map((nth) => `${name}-signed-${who}-${nth}`);
      const ends = await triggered(
        tabs,
        runs.map((run) => `/__echo/signed?run=${run}&status=401,201`),
      );
      expect(ends).toEqual(runs.map(() => 'delivered'));
      expect((await served.arrived('refresh')).length - before).toBe(1);
      expect(await Promise.all(runs.map(async (run) => (await served.arrived(run)).length))).toEqual([2, 2, 2, 2]);
    }
    for (const tab of [alone, beside]) await tab.close();
  });

  promise('two deliberate taps with nothing to tell them apart are two requests under two keys', async () => {
    const run = `${name}-taps`;
    const tap = (by: 'fetch' | 'outbox') =>
      engine.evaluate(
        async ({ by, url }: { by: 'fetch' | 'outbox'; url: string }) => {
          const { app } = window as unknown as Page;
          return app.hear((by === 'fetch' ? fetch : app.outbox.fetch)(url, { method: 'POST' }));
        },
        { by, url: `/__echo/kept?run=${run}` },
      );
    await served.stop();
    const ids: string[] = [];
    for (const by of ['fetch', 'fetch', 'outbox', 'outbox'] as const) {
      const { status, entry } = await tap(by);
      expect(status).toBe(202);
      ids.push(entry ?? '');
      // What one run of the worker had answered is not what the next is asked.
      await engine.stopWorkers?.();
    }
    await served.start();
    for (const id of ids)
      expect(await engine.evaluate((id: string) => (window as unknown as Page).app.finish(id), id)).toBe('delivered');
    const keys = (await served.arrived(run)).map((record) => headerOf(record, 'idempotency-key'));
    expect([keys.length, new Set(keys).size]).toEqual([4, 4]);
  });

  promise('what a page sends itself is not caught and queued again by the worker that controls it', async () => {
    const run = `${name}-again`;
    const tab = await engine.newTab();
    await tab.open(`${deaf.url}/?deaf`);
    await tab.waitFor('navigator.serviceWorker.controller !== null');
    await deaf.stop();
    const seen = await tab.evaluate(async (url: string) => {
      const { app } = window as unknown as Page;
      const heard = await app.hear(app.outbox.fetch(url, { method: 'POST', body: 'x' }));
      const counts: number[] = [];
      for (let look = 0; look < 3; look += 1) {
        await app.outbox.flush({ force: true });
        counts.push((await app.outbox.list()).length);
      }
      return { status: heard.status, entry: heard.entry, counts, sender: app.outbox.status().sender };
    }, `/__echo/kept?run=${run}`);
    expect(seen).toMatchObject({ status: 202, sender: 'page', counts: [1, 1, 1] });
    await deaf.start();
    expect(await tab.evaluate((id: string) => (window as unknown as Page).app.finish(id), seen.entry ?? '')).toBe(
      'delivered',
    );
    expect(await deaf.arrived(run)).toHaveLength(1);
    await tab.close();
  });

  promise(
    'an edit made offline does not overwrite somebody’s newer one: it is a conflict, whole and with its age',
    async () => {
      const run = `${name}-doc`;
      const url = `/__echo/docs?run=${run}&mode=versioned`;
      await served.stop();
      const { status, entry } = await engine.evaluate(
        (url: string) =>
          (window as unknown as Page).app.hear(
            fetch(url, { method: 'PUT', headers: { 'if-match': '"1"' }, body: 'written in the tunnel' }),
          ),
        url,
      );
      expect(status).toBe(202);
      await served.start();
      const other = await fetch(`${served.url}${url}`, {
        method: 'PUT',
        headers: { 'if-match': '"1"' },
        body: 'newer',
      });
      expect(other.status).toBe(200);

      const seen = await engine.evaluate(async (id: string) => {
        const { app } = window as unknown as Page;
        const state = await app.finish(id);
        const { dead } = (await app.outbox.get(id)) ?? {};
        await app.outbox.flush({ force: true });
        return { state, reason: dead?.reason, text: await (await app.outbox.content(id))?.body?.text() };
      }, entry ?? '');
      expect(seen).toEqual({ state: 'dead', reason: 'conflict', text: 'written in the tunnel' });
      const [, late, ...more] = await served.arrived(run);
      expect(more).toEqual([]);
      expect(late && headerOf(late, 'if-match')).toBe('"1"');
      expect(Number(late && headerOf(late, 'holdfast-age'))).toBeGreaterThan(0);
    },
  );
});
