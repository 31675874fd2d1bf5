import { describe, expect, it } from 'vitest';
import { rig } from '../testing/rig';

describe('drain', () => {
  it('delivers what waits, once, and remembers the answer', async () => {
    const { engine, add, all, transport } = rig({ server: [{ status: 201, body: { id: 77 } }] });
    await add('/orders', { body: '{"sku":"X1"}' });

    await engine.drain.wake('start');
    expect(await all()).toMatchObject([
      { state: 'delivered', outcome: 'answered', answer: { status: 201, body: '{"id":77}' } },
    ]);
    await engine.drain.wake('person');
    expect(transport.sent).toHaveLength(1);
  });

  it('keeps a request the server was too busy for, and sends it again with the same key and bytes when told to', async () => {
    const { engine, add, all, transport, system } = rig({
      server: [{ status: 503, headers: { 'retry-after': '30' } }, { status: 201 }],
    });
    await add('/orders', { body: 'a' });

    await engine.drain.wake('start');
    expect(await all()).toMatchObject([{ state: 'pending', attempts: 1 }]);
    await system.passMs(29_000);
    expect(transport.sent).toHaveLength(1);

    await system.passMs(40_000);
    expect(await all()).toMatchObject([{ state: 'delivered' }]);
    const [first, second] = transport.sent;
    expect(second).toEqual(first);
  });

  it('sends a lane in the order the app made it, and other lanes beside it', async () => {
    const finished: string[] = [];
    const { engine, add, system } = rig({
      config: { routes: [{ name: 'docs', match: '/docs/:id', lane: 'doc-:id' }] },
      server: (request) => {
        finished.push(request.url);
        return { status: 200, afterMs: 500 - finished.length * 50 };
      },
    });
    for (const n of [1, 2, 3, 4]) await add('/docs/a', {}, { meta: n });
    await add('/docs/b');

    const draining = engine.drain.wake('start');
    await system.passMs(10_000);
    await draining;
    expect(finished.filter((url) => url.endsWith('/a'))).toHaveLength(4);
    expect(finished[1]).toBe('https://app.example/docs/b');
  });

  it('lets a refused request die alone: its lane goes on', async () => {
    const { engine, add, all } = rig({
      config: { routes: [{ name: 'docs', match: '/docs' }] },
      server: [{ status: 422 }, { status: 201 }],
    });
    await add('/docs');
    await add('/docs');

    await engine.drain.wake('start');
    expect(await all()).toMatchObject([
      { state: 'dead', dead: { reason: 'rejected', triage: 'open' } },
      { state: 'delivered' },
    ]);
  });

  it('two tabs that wake together send each request once', async () => {
    const { engine, add, tab, transport, system } = rig({ server: () => ({ status: 201, afterMs: 2_000 }) });
    const other = tab();
    for (const path of ['/a', '/b', '/c']) await add(path);

    void engine.drain.wake('online');
    void engine.drain.wake('visible');
    void other.engine.drain.wake('online');
    await system.passMs(60_000);
    expect(transport.sent.map((request) => request.url.slice(-1)).sort()).toEqual(['a', 'b', 'c']);
  });

  it('a sender killed in the middle of a request leaves it to the next, as of unknown outcome and with the same key', async () => {
    const { engine, fake, add, tab, transport, all, system } = rig({
      server: () => ({ status: 201, afterMs: 60_000 }),
    });
    await add('/a');
    void engine.drain.wake('start');
    await system.settle();
    expect(await all()).toMatchObject([{ state: 'sending' }]);
    fake.kill();

    transport.answer([{ status: 201 }]);
    void tab().engine.drain.wake('start');
    await system.passMs(1_000);
    expect(await all()).toMatchObject([{ state: 'delivered', tries: 2 }]);
    expect(transport.sent[1]?.headers).toEqual(transport.sent[0]?.headers);
  });
});
