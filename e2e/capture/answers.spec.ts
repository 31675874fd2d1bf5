import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../browsers/engine.ts';
import { enginesUnderTest } from '../browsers/engines-under-test.ts';
import { type RunningPeer, startPeer } from '../peer/start-peer.ts';
import type { Site } from '../peer/site.ts';
import type { CaptureApp } from './app/page.ts';
import { headerOf, openCapture, serveCapture } from './app-server.ts';

type Page = Window & { readonly app: CaptureApp };

/** A request that is queued and sent until it has ended. */
interface Queued {
  readonly url: string;
  readonly method?: string;
  readonly mode?: RequestMode;
}

interface End {
  readonly state: string;
  readonly verified?: boolean;
  readonly status?: number;
  /** What the last attempt was taken for. */
  readonly kind?: string;
}

describe.each(enginesUnderTest)('what a real server answers, in $name', ({ name, installed }) => {
  let served: Site;
  let friend: RunningPeer;
  let mute: RunningPeer;
  let engine: Engine;

  beforeAll(async () => {
    if (!installed) return;
    [served, friend, mute] = [await serveCapture(), await startPeer(), await startPeer()];
    engine = await openCapture(name, served, `?friend=${friend.url}`);
  });
  afterAll(async () => {
    await engine?.close();
    for (const server of [served, friend, mute]) await server?.stop();
  });
  const promise = it.skipIf(!installed);

  const endsOf = (requests: readonly Queued[]): Promise<readonly End[]> =>
    engine.evaluate(async (requests: readonly Queued[]) => {
      const { app } = window as unknown as Page;
      const one = async ({ url, ...init }: Queued): Promise<End> => {
        const { id } = await app.outbox.add(url, { method: 'POST', body: 'as it was', ...init });
        const state = await app.finish(id);
        const { verified, status, history } = (await app.outbox.get(id)) ?? {};
        const kind = history?.at(-1)?.class;
        return { state, ...(verified !== undefined && { verified, status }), ...(kind && { kind }) } as End;
      };
      return Promise.all(requests.map(one));
    }, requests);

  promise('a redirect that may have lost the body is no delivery; one that kept it is', async () => {
    const statuses = [301, 302, 303, 307, 308];
    const run = `${name}-moved`;
    const cases = [
      ...statuses.map((status) => ['POST', 'kept', status] as const),
      ...statuses.map((status) => ['PUT', 'kept', status] as const),
      ['POST', 'moved', 303] as const,
      ['POST', 'moved', 307] as const,
    ];
    const there = ([method, path, status]: (typeof cases)[number]) => `${run}-${method}-${path}-${status}`;
    const ends = await endsOf(
      cases.map((one) => {
        const [method, path, status] = one;
        const to = encodeURIComponent(`/__echo/plain?run=${there(one)}-to`);
        return { method, url: `/__echo/${path}?run=${there(one)}&status=${status}&header=Location:${to}` };
      }),
    );
    const seen = await Promise.all(
      cases.map(async (one, nth) => {
        const [first] = await served.arrived(there(one));
        const [last, ...more] = await served.arrived(`${there(one)}-to`);
        expect(more).toEqual([]);
        const kept = last?.sha256 === first?.sha256;
        const sameKey = last && first && headerOf(last, 'idempotency-key') === headerOf(first, 'idempotency-key');
        return [...one, last?.method, kept, kept === false || sameKey, ends[nth]?.state, ends[nth]?.kind];
      }),
    );
    expect(seen).toEqual([
      ['POST', 'kept', 301, 'GET', false, true, 'dead', 'redirected'],
      ['POST', 'kept', 302, 'GET', false, true, 'dead', 'redirected'],
      ['POST', 'kept', 303, 'GET', false, true, 'dead', 'redirected'],
      // No page can tell these from the three before.
      ['POST', 'kept', 307, 'POST', true, true, 'dead', 'redirected'],
      ['POST', 'kept', 308, 'POST', true, true, 'dead', 'redirected'],
      ['PUT', 'kept', 301, 'PUT', true, true, 'delivered', 'delivered'],
      ['PUT', 'kept', 302, 'PUT', true, true, 'delivered', 'delivered'],
      ['PUT', 'kept', 303, 'GET', false, true, 'delivered', 'delivered'],
      ['PUT', 'kept', 307, 'PUT', true, true, 'delivered', 'delivered'],
      ['PUT', 'kept', 308, 'PUT', true, true, 'delivered', 'delivered'],
      ['POST', 'moved', 303, 'GET', false, true, 'delivered', 'delivered'],
      ['POST', 'moved', 307, 'POST', true, true, 'delivered', 'delivered'],
    ]);
  });

  promise('a redirect to a page that nobody asked for, as to a sign-in, is no delivery of any method', async () => {
    const run = `${name}-sign-in`;
    const to = encodeURIComponent(`/__echo/plain?run=${run}-page&mode=captive`);
    const methods = ['POST', 'PUT', 'PATCH', 'DELETE'];
    const ends = await endsOf(
      methods.map((method) => ({ method, url: `/__echo/kept?run=${run}&status=303&header=Location:${to}` })),
    );
    expect(ends).toMatchObject(methods.map(() => ({ state: 'dead', kind: 'redirected' })));
    expect((await served.arrived(`${run}-page`)).map(({ method }) => method)).toEqual(methods.map(() => 'GET'));
  });

  promise('304 is no answer to a write: it is kept, and sent again until there is one', async () => {
    const run = `${name}-not-modified`;
    const heard = await engine.evaluate(async (run: string) => {
      const { app } = window as unknown as Page;
      const url = (by: string) => `/__echo/kept?run=${run}-${by}&status=304,304,200`;
      const answers = await Promise.all((['fetch', 'outbox'] as const).map((by) => app.send('JSON', by, url(by))));
      return Promise.all(answers.map(async ({ status, entry }) => [status, await app.finish(entry ?? '')]));
    }, run);
    expect(heard).toEqual([
      [202, 'delivered'],
      [202, 'delivered'],
    ]);
    for (const by of ['fetch', 'outbox']) expect(await served.arrived(`${run}-${by}`)).toHaveLength(3);
  });

  promise('413 and answers without a body reach the page as they are, and end what was kept', async () => {
    const run = `${name}-bare`;
    const live = await engine.evaluate(async (run: string) => {
      const { app } = window as unknown as Page;
      const answers = await Promise.all(
        [413, 204, 205].flatMap((status) =>
          (['fetch', 'outbox'] as const).map((by) => app.send('JSON', by, `/__echo/kept?run=${run}&status=${status}`)),
        ),
      );
      const kept = (await app.outbox.list()).filter(({ url }) => url.includes(run));
      return { answers: answers.map(({ status, body }) => [status, body === '']), kept: kept.length };
    }, run);
    expect(live).toEqual({
      answers: [
        [413, false],
        [413, false],
        [204, true],
        [204, true],
        [205, true],
        [205, true],
      ],
      kept: 0,
    });
    const ends = await endsOf([413, 204, 205].map((status) => ({ url: `/__echo/kept?run=${run}&status=${status}` })));
    expect(ends).toMatchObject([
      { state: 'dead', kind: 'rejected', status: 413 },
      { state: 'delivered', status: 204 },
      { state: 'delivered', status: 205 },
    ]);
  });

  promise('an answer nobody may read goes to the page, and counts as delivered and unverified, once', async () => {
    const run = `${name}-opaque`;
    const url = `${friend.url}/__echo/elsewhere?run=${run}`;
    const type = await engine.evaluate(async (url: string) => {
      const { app } = window as unknown as Page;
      const { type } = await app.outbox.fetch(`${url}-live&status=500`, { method: 'POST', body: 'x', mode: 'no-cors' });
      return type;
    }, url);
    expect(type).toBe('opaque');
    const ends = await endsOf(
      [200, 500].map((status) => ({ url: `${url}-${status}&status=${status}`, mode: 'no-cors' })),
    );
    expect(ends).toMatchObject(
      [200, 500].map(() => ({ state: 'delivered', verified: false, status: 0, kind: 'unverified' })),
    );
    const counts = await Promise.all(
      ['live', '200', '500'].map(async (which) => {
        const ledger = await fetch(`${friend.url}/__echo/ledger?run=${run}-${which}`);
        return ((await ledger.json()) as unknown[]).length;
      }),
    );
    expect(counts).toEqual([1, 1, 1]);
  });

  promise('an origin that only ever rejects, while others answer, is named: CORS or blocked?', async () => {
    const url = `${mute.url}/__echo/elsewhere?run=${name}-cors`;
    await engine.evaluate(async (url: string) => {
      const headers = { 'content-type': 'application/json' };
      await (window as unknown as Page).app.outbox.add(url, { method: 'POST', body: '{}', headers });
      return true;
    }, url);
    const named = await engine.waitFor(async (own: string) => {
      const { app } = window as unknown as Page;
      await app.send('JSON', 'outbox', own);
      await app.outbox.flush({ force: true });
      return app.outbox.getSnapshot().suspects[0];
    }, `/__echo/kept?run=${name}-own`);
    expect(named).toBe(mute.url);
    const kind = await engine.evaluate(async (url: string) => {
      const all = await (window as unknown as Page).app.outbox.list();
      return all.find((one) => one.url === url)?.lastFailure?.class;
    }, url);
    expect(kind).toBe('network');
  });

  promise('a web page where data was asked for is no delivery, and costs no attempt', async () => {
    const entry = await engine.evaluate(async (url: string) => {
      const { app } = window as unknown as Page;
      const init = { method: 'POST', body: '{}', headers: { accept: 'application/json' } };
      const { id } = await app.outbox.add(url, init);
      for (;;) {
        const entry = await app.outbox.get(id);
        if (entry && ((entry.tries > 0 && entry.state === 'pending') || entry.state === 'delivered')) {
          const { state, attempts, lastFailure } = entry;
          return { state, attempts, kind: lastFailure?.class };
        }
        await app.outbox.flush({ force: true });
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    }, `/__echo/kept?run=${name}-portal&mode=captive`);
    expect(entry).toEqual({ state: 'pending', attempts: 0, kind: 'captive' });
  });
});
