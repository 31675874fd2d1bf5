import { describe, expect, it } from 'vitest';
import type { Outgoing } from '../ports';
import type { FakeAnswer } from '../testing/fake-transport';
import { rig } from '../testing/rig';
import {
  config,
  notAttempted,
  outcomes,
  partsOf,
  paths,
  problem,
  queued,
  states,
  type Part,
  type PartAnswer,
  withDoor,
} from './door.fixture';
import { batchDoor } from './index';

describe('a route with a batch door', () => {
  it('sends what waits in one call, each under its own key, and delivers each by its own answer', async () => {
    const outbox = rig({
      config: config('orders'),
      server: withDoor(({ target }) => ({ status: 201, body: { target } })),
    });
    await queued(outbox, 5);
    await outbox.engine.drain.wake('online');
    expect(paths(outbox)).toEqual(['/batch']);
    const parts = partsOf(outbox.transport.sent[0] as Outgoing);
    const entries = await outbox.all();
    expect(parts.map(({ target, body }) => [target, body?.text])).toEqual(
      [1, 2, 3, 4, 5].map((n) => [`/orders/${n}`, `{"n":${n}}`]),
    );
    expect(parts.map(({ headers }) => new Headers(headers).get('idempotency-key'))).toEqual(
      entries.map(({ key }) => `"${key}"`),
    );
    expect(entries.map(({ state, answer }) => [state, answer?.body])).toEqual(
      [1, 2, 3, 4, 5].map((n) => ['delivered', `{"target":"/orders/${n}"}`]),
    );
  });

  it('sends one that is alone by itself', async () => {
    const outbox = rig({ config: config('orders'), server: withDoor(() => ({ status: 201 })) });
    await queued(outbox, 1);
    await outbox.engine.drain.wake('online');
    expect(paths(outbox)).toEqual(['/orders/1']);
  });

  it('keeps the order of a lane: what was not attempted counts as never sent and goes after the one that failed', async () => {
    let broken = true;
    const done: string[] = [];
    const outbox = rig({
      config: config('orders'),
      server: withDoor(
        ({ target }) => {
          if (target === '/orders/2' && broken) return { status: 500 };
          done.push(target);
          return { status: 201 };
        },
        ({ url }) => {
          if (broken) return { status: 500 };
          done.push(new URL(url).pathname);
          return { status: 201 };
        },
      ),
    });
    await queued(outbox, 4);
    await outbox.engine.drain.wake('online');
    expect(await states(outbox)).toEqual(['delivered', 'pending', 'pending', 'pending']);
    expect(await outcomes(outbox)).toEqual(['answered', 'unknown', 'never-sent', 'never-sent']);
    expect((await outbox.all()).map(({ tries }) => tries)).toEqual([1, 1, 0, 0]);
    broken = false;
    await outbox.system.passMs(600_000);
    expect(done).toEqual(['/orders/1', '/orders/2', '/orders/3', '/orders/4']);
    expect(await states(outbox)).toEqual(Array(4).fill('delivered'));
  });

  it('takes many lanes in one call, and holds up none but the one that failed', async () => {
    const outbox = rig({
      config: { routes: [{ name: 'docs', match: '/docs/:id/:n', lane: 'doc-:id', batch: batchDoor() }] },
      server: withDoor(({ target }) => ({ status: target === '/docs/b/1' ? 500 : 201 })),
    });
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      for (const n of [1, 2]) await outbox.add(`/docs/${id}/${n}`, { body: '{}' });
    }
    await outbox.engine.drain.wake('online');
    const [call] = outbox.transport.sent;
    expect(partsOf(call as Outgoing)).toHaveLength(10);
    const waiting = (await outbox.all()).filter(({ state }) => state === 'pending');
    expect(waiting.map(({ request, outcome }) => [new URL(request.url).pathname, outcome])).toEqual([
      ['/docs/b/1', 'unknown'],
      ['/docs/b/2', 'never-sent'],
    ]);
  });

  it('lets one that is refused die alone, in a lane and without one', async () => {
    for (const lane of ['orders', null]) {
      const refuse = ({ target }: Part): PartAnswer => ({ status: target === '/orders/2' ? 422 : 201 });
      const outbox = rig({ config: config(lane), server: withDoor(refuse) });
      await queued(outbox, 3);
      await outbox.engine.drain.wake('online');
      await outbox.system.passMs(1_000);
      expect(await states(outbox)).toEqual(['delivered', 'dead', 'delivered']);
    }
  });

  it('believes each answer of those without a lane, whatever came before it', async () => {
    const outbox = rig({
      config: config(null),
      server: withDoor(({ target }) => ({ status: target === '/orders/1' ? 503 : 201 })),
    });
    await queued(outbox, 3);
    await outbox.engine.drain.wake('online');
    expect(await states(outbox)).toEqual(['pending', 'delivered', 'delivered']);
  });

  it('holds for a person what the server did without being able to say what came of it', async () => {
    const outbox = rig({
      config: config(null),
      server: withDoor(({ target }) =>
        target === '/orders/1' ? problem(500, 'failed-after-commit') : { status: 201 },
      ),
    });
    await queued(outbox, 2);
    await outbox.engine.drain.wake('online');
    expect((await outbox.all()).map(({ state, dead }) => [state, dead?.reason])).toEqual([
      ['dead', 'held'],
      ['delivered', undefined],
    ]);
  });

  it('when the call gets no answer, knows of none of them, and sends the same keys again', async () => {
    let calls = 0;
    const outbox = rig({
      config: config('orders'),
      server: (request) => ((calls += 1) === 1 ? { fail: 'network' } : withDoor(() => ({ status: 201 }))(request)),
    });
    await queued(outbox, 3);
    await outbox.engine.drain.wake('online');
    expect(paths(outbox)).toEqual(['/batch']);
    expect(await outcomes(outbox)).toEqual(['unknown', 'unknown', 'unknown']);
    await outbox.system.passMs(600_000);
    expect(await states(outbox)).toEqual(Array(3).fill('delivered'));
    const all = outbox.transport.sent.flatMap((request) =>
      request.url.endsWith('/batch') ? partsOf(request).map(({ headers }) => headers) : [request.headers],
    );
    const keys = all.map((headers) => new Headers(headers.map(([name, value]): [string, string] => [name, value])));
    const named = keys.map((headers) => headers.get('idempotency-key'));
    expect(named).toHaveLength(6);
    expect(new Set(named)).toEqual(new Set((await outbox.all()).map(({ key }) => `"${key}"`)));
  });

  it('asks a server that comes back with one request, and not with many in one', async () => {
    let down = true;
    const outbox = rig({
      config: config(null),
      server: (request) => (down ? { fail: 'network' } : withDoor(() => ({ status: 201 }))(request)),
    });
    await queued(outbox, 12);
    await outbox.engine.drain.wake('online');
    await outbox.system.passMs(60_000);
    down = false;
    const before = outbox.transport.sent.length;
    await outbox.system.passMs(600_000);
    const after = paths(outbox).slice(before);
    expect(after[0]).not.toBe('/batch');
    expect(after).toContain('/batch');
    expect(await states(outbox)).toEqual(Array(12).fill('delivered'));
  });

  it.each([404, 405, 413, 501])(
    'where the door says %i, sends one by one and does not knock again soon',
    async (status) => {
      const outbox = rig({
        config: config('orders'),
        server: ({ url }) => ({ status: url.endsWith('/batch') ? status : 201 }),
      });
      await queued(outbox, 3);
      await outbox.engine.drain.wake('online');
      await queued(outbox, 3);
      await outbox.engine.drain.wake('online');
      expect(await states(outbox)).toEqual(Array(6).fill('delivered'));
      expect(paths(outbox).filter((path) => path === '/batch')).toHaveLength(1);
    },
  );

  it('where the door begins with nothing, sends one by one', async () => {
    const outbox = rig({ config: config('orders'), server: withDoor(() => notAttempted) });
    await queued(outbox, 3);
    await outbox.engine.drain.wake('online');
    expect(await states(outbox)).toEqual(Array(3).fill('delivered'));
  });

  it('where something else answers in its place, takes nothing for done', async () => {
    const portal: FakeAnswer = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Sign in</h1>' };
    const outbox = rig({
      config: config('orders'),
      server: ({ url }) => (url.endsWith('/batch') ? portal : { status: 201 }),
    });
    await queued(outbox, 3);
    await outbox.engine.drain.wake('online');
    expect(await states(outbox)).toEqual(Array(3).fill('pending'));
    expect(await outcomes(outbox)).toEqual(Array(3).fill('unknown'));
    await outbox.system.passMs(600_000);
    expect(await states(outbox)).toEqual(Array(3).fill('delivered'));
  });

  it('follows a redirect of one by sending that one by itself', async () => {
    const outbox = rig({
      config: config(null),
      server: withDoor(({ target }) => ({ status: target === '/orders/1' ? 307 : 201 })),
    });
    await queued(outbox, 2);
    await outbox.engine.drain.wake('online');
    expect(paths(outbox)).toEqual(['/batch', '/orders/1']);
    expect(await states(outbox)).toEqual(['delivered', 'delivered']);
  });

  it('in a lane follows a redirect that did nothing yet before anything that stands behind it', async () => {
    const done: string[] = [];
    const door = withDoor(
      ({ target }) => {
        if (target === '/orders/2') return { status: 307 };
        done.push(target);
        return { status: 201 };
      },
      ({ url }) => {
        done.push(new URL(url).pathname);
        return { status: 201 };
      },
    );
    const outbox = rig({ config: config('orders'), server: door });
    await queued(outbox, 4);
    await outbox.engine.drain.wake('online');
    expect(done).toEqual(['/orders/1', '/orders/2', '/orders/3', '/orders/4']);
    expect(await states(outbox)).toEqual(Array(4).fill('delivered'));
  });

  it('renews credentials once and sends the one that was refused again', async () => {
    let renewed = 0;
    const outbox = rig({
      config: { ...config('orders'), refresh: () => (renewed += 1) > 0 },
      server: withDoor(() => ({ status: renewed > 0 ? 201 : 401 })),
    });
    await queued(outbox, 3);
    await outbox.engine.drain.wake('online');
    expect([renewed, await states(outbox)]).toEqual([1, Array(3).fill('delivered')]);
    expect(paths(outbox)).toEqual(['/batch', '/orders/1', '/batch']);
  });

  it('leaves by itself what is too large, of another origin, or has no key there', async () => {
    const outbox = rig({
      config: {
        routes: [
          { name: 'orders', match: '/orders/*', lane: null, batch: batchDoor({ maxBytes: 1_000 }) },
          { name: 'other', match: 'https://other.example/*', lane: null, batch: batchDoor() },
        ],
      },
      server: withDoor(() => ({ status: 201 })),
    });
    await outbox.add('/orders/large', { body: 'x'.repeat(2_000) });
    await outbox.add('https://other.example/1', { body: 'a' });
    await outbox.add('https://other.example/2', { body: 'b' });
    await queued(outbox, 2);
    await outbox.engine.drain.wake('online');
    expect(await states(outbox)).toEqual(Array(5).fill('delivered'));
    expect(paths(outbox).sort()).toEqual(['/1', '/2', '/batch', '/orders/large']);
  });
});
