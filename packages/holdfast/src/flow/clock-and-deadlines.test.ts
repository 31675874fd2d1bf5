import { describe, expect, it } from 'vitest';
import { headerOf } from '../core/header-pairs';
import { ageHeader } from '../core/wire';
import { rig } from '../testing/rig';

const day = 86_400_000;

describe('time', () => {
  it.each([-3 * day, 10 * day, -3_600_000])(
    'a clock that jumps by %i ms loses, expires and sticks nothing',
    async (jumpMs) => {
      // 425: the server says itself that it did not begin.
      const { add, engine, all, system, transport } = rig({ server: [{ status: 425 }] });
      system.setClock(Date.UTC(2026, 10, 30));
      await add('/a');
      await add('/b', {}, { expiresInMs: 30 * day });
      void engine.drain.wake('start');
      await system.passMs(5_000);
      system.setClock(system.now() + jumpMs);
      transport.answer([{ status: 201 }]);
      void engine.drain.wake('visible');
      await system.passMs(600_000);
      expect((await all()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
    },
  );

  it.each([503, 500])(
    'a clock that jumps forth and back does not leave an origin shut for hours (%i)',
    async (status) => {
      const { add, engine, all, system, transport } = rig({ server: [{ status, headers: { 'retry-after': '60' } }] });
      system.setClock(Date.UTC(2026, 10, 30) + 3 * 3_600_000);
      for (let n = 0; n < 8; n += 1) await add(`/a/${n}`, {}, { lane: null });
      void engine.drain.wake('start');
      await system.passMs(30_000);
      transport.answer([{ status: 201 }]);
      system.setClock(Date.UTC(2026, 10, 30));
      await engine.drain.wake('visible');
      await system.passMs(300_000);
      expect((await all()).map(({ state }) => state)).toEqual(Array(8).fill('delivered'));
    },
  );

  it('an intent that is too old to run dies as expired, with its payload, though nothing can be sent', async () => {
    const { add, engine, all, system, events } = rig({ server: [{ fail: 'network' }] });
    await add('/door/open', { body: 'now' }, { expiresInMs: 60_000 });
    void engine.drain.wake('start');
    await system.passMs(600_000);
    const [entry] = await all();
    expect(entry).toMatchObject({ state: 'dead', dead: { reason: 'expired', triage: 'open' } });
    expect(new TextDecoder().decode(entry?.body.bytes)).toBe('now');
    expect(events.map(({ type }) => type)).toContain('dead');
  });

  it('is not sent before its time', async () => {
    const { add, engine, transport, system } = rig();
    await add('/later', {}, { notBefore: system.now() + 3_600_000 });
    void engine.drain.wake('start');
    await system.passMs(3_500_000);
    expect(transport.sent).toHaveLength(0);
    await system.passMs(200_000);
    expect(transport.sent).toHaveLength(1);
  });

  it('tells the server by option how old the intent is, anew on each attempt and never negative', async () => {
    const { add, engine, transport, system } = rig({
      config: { routes: [{ name: 'events', match: '/events', sendAge: true }] },
      server: [{ status: 500 }, { status: 500 }, { status: 201 }],
    });
    await add('/events');
    await system.passMs(5 * 3_600_000);
    await engine.drain.wake('start');
    system.setClock(system.now() - day);
    void engine.drain.wake('start');
    await system.passMs(600_000);
    const ages = transport.sent.map(({ headers }) => Number(headerOf(headers, ageHeader)));
    expect(ages[0]).toBe(5 * 3_600_000);
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
  });

  it('a wait beyond what a timer can hold is a wait, not a hot loop', async () => {
    const { add, engine, transport, system } = rig({
      server: [{ status: 503, headers: { 'retry-after': '9999999999' } }],
    });
    await add('/a');
    void engine.drain.wake('start');
    await system.passMs(23 * 3_600_000);
    expect(transport.sent).toHaveLength(1);
  });
});

describe('order', () => {
  const lanes = { routes: [{ name: 'docs', match: '/docs/:id', lane: 'doc-:id' }] };

  it('a live request never overtakes its lane’s backlog', async () => {
    const { fetch, engine, transport, system } = rig({ config: lanes, server: [{ status: 500 }] });
    await fetch('/docs/5', { body: '1' });
    transport.answer([{ status: 200 }]);
    expect((await fetch('/docs/5', { method: 'PATCH', body: '2' })).kind).toBe('queued');
    expect((await fetch('/docs/6', { body: 'other lane' })).kind).toBe('answered');
    void engine.drain.wake('person');
    await system.passMs(30_000);
    expect(transport.sent.filter(({ url }) => url.endsWith('/5')).map(({ method }) => method)).toEqual([
      'POST',
      'POST',
      'PATCH',
    ]);
  });

  it('two live requests of one lane go one after another, and when the first fails the second waits behind it', async () => {
    const { fetch, all, system } = rig({
      config: lanes,
      server: (_, nth) => (nth === 1 ? { fail: 'network', afterMs: 1_000 } : { status: 201 }),
    });
    const both = Promise.all([fetch('/docs/5', { body: '1' }), fetch('/docs/5', { body: '2' })]);
    await system.passMs(2_000);
    expect((await both).map(({ kind }) => kind)).toEqual(['queued', 'queued']);
    expect((await all()).map(({ body }) => new TextDecoder().decode(body.bytes))).toEqual(['1', '2']);
  });

  it('what depends on another waits for its answer, gets the value from it, and keeps its bytes', async () => {
    const { answerOf } = await import('../core/placeholders');
    const { add, engine, tab, fake, transport, system, all } = rig({
      config: { routes: [{ name: 'items', match: '/items*', lane: null }] },
      server: ({ method }, nth) =>
        method === 'POST' ? { status: 201, body: { id: 77 } } : nth < 4 ? { status: 500 } : { status: 200 },
    });
    const parent = await add('/items', { body: '{}' });
    const id = answerOf(parent.id, { pointer: '/id' });
    await add(
      `/items/${id}`,
      { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ parent: id }) },
      { dependsOn: [parent.id] },
    );
    await engine.drain.wake('start');
    fake.kill();
    void tab().engine.drain.wake('start');
    await system.passMs(600_000);
    const puts = transport.sent.filter(({ method }) => method === 'PUT');
    expect(puts.length).toBeGreaterThan(1);
    expect(new Set(puts.map(({ url, body }) => `${url} ${new TextDecoder().decode(body as Uint8Array)}`))).toEqual(
      new Set(['https://app.example/items/77 {"parent":77}']),
    );
    expect(await all()).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
  });

  it('a dead parent holds its children, and replaying it releases them', async () => {
    const { add, engine, system, all, transport, context } = rig({ server: [{ status: 422 }] });
    const parent = await add('/items');
    await add('/items/child', {}, { dependsOn: [parent.id] });
    void engine.drain.wake('start');
    await system.passMs(60_000);
    expect(await all()).toMatchObject([{ state: 'dead' }, { state: 'pending', outcome: 'never-sent' }]);
    transport.answer([{ status: 201 }]);
    const { replay } = await import('./acts/triage');
    await replay(context, parent.id);
    void engine.drain.wake('person');
    await system.passMs(60_000);
    expect(await all()).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
  });
});
