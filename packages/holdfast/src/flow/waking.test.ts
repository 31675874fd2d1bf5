import { describe, expect, it } from 'vitest';
import type { OutboxConfig } from '../core/options';
import { rig } from '../testing/rig';

describe('it always wakes', () => {
  it('keeps to its schedule for hours with nobody doing anything', async () => {
    const { add, engine, transport, system } = rig({
      config: {
        routes: [
          {
            name: 'api',
            match: '/*',
            retry: { budgets: { network: 8, timeout: 8, server: 1000, overload: 1000, 'in-progress': 60 } },
          },
        ],
      },
      server: [{ status: 500 }],
    });
    await add('/a');
    void engine.drain.wake('start');
    await system.passMs(2 * 3_600_000);
    expect(transport.sent.length).toBeGreaterThan(20);
    expect(engine.drain.nextAt()).not.toBeNull();
  });

  it('survives a hook that throws: only its own entry waits', async () => {
    const config: OutboxConfig = {
      routes: [
        {
          name: 'bad',
          match: '/bad',
          classify: () => {
            throw new Error('bug of the app');
          },
        },
        { name: 'good', match: '/good' },
      ],
    };
    const { add, engine, all, system } = rig({ config });
    await add('/bad');
    await add('/good');
    void engine.drain.wake('start');
    await system.passMs(5_000);
    expect(await all()).toMatchObject([{ state: 'pending', outcome: 'unknown' }, { state: 'delivered' }]);
    expect(engine.drain.nextAt()).not.toBeNull();
  });

  it('survives a hook that hangs', async () => {
    const config: OutboxConfig = {
      routes: [
        { name: 'bad', match: '/bad', beforeSend: () => new Promise(() => undefined) },
        { name: 'good', match: '/good' },
      ],
    };
    const { add, engine, all, system, transport } = rig({ config });
    await add('/bad');
    await add('/good');
    void engine.drain.wake('start');
    await system.passMs(11_000);
    expect(await all()).toMatchObject([{ state: 'pending', outcome: 'never-sent' }, { state: 'delivered' }]);
    expect(transport.sent).toHaveLength(1);
  });

  it('an overdue entry goes at the next look, not after another wait', async () => {
    const { add, engine, tab, fake, transport, system, all } = rig({ server: [{ status: 500 }, { status: 201 }] });
    await add('/a');
    await engine.drain.wake('start');
    fake.kill();
    await system.passMs(3_600_000);
    expect(transport.sent).toHaveLength(1);
    void tab().engine.drain.wake('visible');
    await system.settle();
    expect(await all()).toMatchObject([{ state: 'delivered' }]);
  });

  it('twelve failures with the cable out leave the budget whole', async () => {
    let up = false;
    const { add, engine, all, system, transport } = rig({ server: () => (up ? { status: 201 } : { fail: 'network' }) });
    await add('/a');
    void engine.drain.wake('start');
    while (transport.sent.length < 12) await system.passMs(10_000);
    expect(await all()).toMatchObject([{ state: 'pending', attempts: 0 }]);
    up = true;
    void engine.drain.wake('online');
    await system.passMs(5_000);
    expect(await all()).toMatchObject([{ state: 'delivered' }]);
  });

  it('the cable pulled a moment after an answer costs nothing either, when the platform says so too', async () => {
    const { add, fetch, engine, all, system, transport } = rig({ server: [{ status: 201 }] });
    await fetch('/before');
    system.sayOffline(true);
    transport.answer([{ fail: 'network' }]);
    expect((await fetch('/a')).kind).toBe('queued');
    await add('/b');
    void engine.drain.wake('enqueue');
    await system.passMs(20_000);
    expect(await all()).toMatchObject([
      { state: 'pending', attempts: 0, outcome: 'never-sent' },
      { state: 'pending', attempts: 0, outcome: 'never-sent' },
    ]);
  });

  it('a failure in the moment after a resume raises no backoff: all is delivered within seconds', async () => {
    const { add, engine, all, system, transport } = rig({ server: [{ fail: 'network' }] });
    for (const path of ['/a', '/b', '/c']) await add(path);
    void engine.drain.wake('visible');
    await system.passMs(800);
    transport.answer([{ status: 201 }]);
    await system.passMs(5_000);
    expect((await all()).map(({ state, attempts }) => [state, attempts])).toEqual(
      Array.from({ length: 3 }, () => ['delivered', 0]),
    );
  });

  it('one poison request holds up its own lane at most', async () => {
    const { add, engine, all, system } = rig({
      config: { routes: [{ name: 'docs', match: '/docs/:id', lane: 'doc-:id' }] },
      server: ({ url }) => ({ status: url.endsWith('/stuck') ? 500 : 201 }),
    });
    await add('/docs/stuck');
    for (const id of ['a', 'b', 'c', 'd']) await add(`/docs/${id}`);
    void engine.drain.wake('start');
    await system.passMs(60_000);
    expect((await all()).map(({ state }) => state)).toEqual([
      'pending',
      'delivered',
      'delivered',
      'delivered',
      'delivered',
    ]);
  });

  it('another origin being down is nobody else’s trouble', async () => {
    const config: OutboxConfig = { routes: [{ name: 'all', match: /./, lane: null }] };
    const { add, engine, all, system } = rig({
      config,
      server: ({ url }) => (url.startsWith('https://down.example') ? { fail: 'network' } : { status: 201 }),
    });
    for (let n = 0; n < 40; n += 1) await add(`https://down.example/${n}`);
    await add('https://up.example/1');
    void engine.drain.wake('start');
    await system.passMs(30_000);
    expect((await all()).at(-1)).toMatchObject({ state: 'delivered' });
  });
});

describe('recovery', () => {
  it('once an origin is proved to be back, what waits for it goes soon, not at the end of a long backoff', async () => {
    let up = false;
    const retry = { budgets: { network: 8, timeout: 8, server: 1_000, overload: 5, 'in-progress': 60 } };
    const { add, engine, all, system } = rig({
      config: { routes: [{ name: 'docs', match: '/docs/:id', lane: 'doc-:id', retry }] },
      server: () => (up ? { status: 201 } : { status: 500 }),
    });
    for (const id of ['a', 'b', 'c', 'd', 'e']) await add(`/docs/${id}`);
    void engine.drain.wake('start');
    for (let due: number[] = []; !due.some((at) => at > system.now() + 120_000);) {
      await system.passMs(10_000);
      due = (await all()).map(({ dueAt }) => dueAt);
    }
    up = true;
    await add('/docs/fresh');
    void engine.drain.wake('enqueue');
    await system.passMs(30_000);
    expect((await all()).map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => 'delivered'));
  });
});
