import { describe, expect, it } from 'vitest';
import { headerOf } from '../core/header-pairs';
import { markerHeader } from '../core/wire';
import { rig } from '../testing/rig';
import { replay } from './acts/triage';

const lanes = { routes: [{ name: 'docs', match: '/docs/:id', lane: 'doc-:id' }] };
const keyOf = (request: { headers: readonly (readonly [string, string])[] } | undefined) =>
  headerOf(request?.headers ?? [], 'Idempotency-Key');

describe('one intent takes effect once', () => {
  it('the key is on the first live attempt, and the same key and bytes go out after the answer was lost', async () => {
    const { fetch, engine, transport, system } = rig({ server: [{ fail: 'network' }, { status: 201 }] });
    const outcome = await fetch('/orders', { body: '{"sku":"X1","qty":2}' });
    expect(outcome.kind).toBe('queued');

    void engine.drain.wake('person');
    await system.passMs(10_000);
    const [live, again] = transport.sent;
    expect(keyOf(live)).toMatch(/^".+"$/);
    expect(again).toEqual(live);
  });

  it('one key over the live attempt, retries, the dead-letter list and a replay', async () => {
    const { fetch, engine, transport, system, all, context } = rig({
      server: [{ fail: 'network' }, { status: 500 }, { status: 422 }, { status: 201 }],
    });
    await fetch('/orders', { body: 'a' });
    void engine.drain.wake('person');
    await system.passMs(600_000);
    const [dead] = await all();
    expect(dead).toMatchObject({ state: 'dead', dead: { reason: 'rejected' } });

    await replay(context, dead?.id ?? '');
    void engine.drain.wake('person');
    await system.passMs(600_000);
    expect(await all()).toMatchObject([{ state: 'delivered', replays: 1 }]);
    expect(new Set(transport.sent.map(keyOf)).size).toBe(1);
    expect(transport.sent).toHaveLength(4);
  });

  it('two deliberate intents with equal content are two requests', async () => {
    const { fetch, engine, transport, system } = rig({
      server: [{ fail: 'network' }, { fail: 'network' }, { status: 201 }],
    });
    await fetch('/boards');
    await fetch('/boards');
    void engine.drain.wake('person');
    await system.passMs(60_000);
    const delivered = new Set(transport.sent.map(keyOf));
    expect(delivered.size).toBe(2);
  });

  it('a key the app set itself is kept, quoted or bare', async () => {
    const { fetch, transport, all } = rig({ server: [{ fail: 'network' }] });
    await fetch('/orders', { headers: { 'idempotency-key': '"mine"' } });
    await fetch('/orders', { headers: { 'idempotency-key': 'other' } });
    expect((await all()).map(({ key }) => key)).toEqual(['mine', 'other']);
    expect(transport.sent.map(keyOf)[0]).toBe('"mine"');
  });

  it('online, visible, sync and a person in the same tick start one pass', async () => {
    const { add, engine, transport, system } = rig({ server: () => ({ status: 201, afterMs: 2_000 }) });
    for (const path of ['/a', '/b']) await add(path);
    for (const why of ['online', 'visible', 'sync', 'person', 'timer'] as const) void engine.drain.wake(why);
    await system.passMs(30_000);
    expect(transport.sent).toHaveLength(2);
  });

  it('an answer of our own worker is not taken for the server’s: the request goes on waiting', async () => {
    const { add, engine, all, system } = rig({ server: [{ status: 202, headers: { [markerHeader]: 'x' } }] });
    await add('/orders');
    void engine.drain.wake('start');
    await system.passMs(1_000);
    expect(await all()).toMatchObject([{ state: 'pending' }]);
  });

  it('writes of one thing are merged when asked to: the newest wins, under a key of its own', async () => {
    const { add, all } = rig({ config: { routes: [{ name: 'profile', match: '/profile/:id', coalesce: true }] } });
    for (const version of ['1', '2', '3']) await add('/profile/7', { method: 'PUT', body: version });
    const rows = await all();
    expect(rows.map(({ state }) => state)).toEqual(['dead', 'dead', 'pending']);
    expect(rows.slice(0, 2)).toMatchObject([
      { dead: { reason: 'superseded', triage: 'closed' } },
      { dead: { reason: 'superseded' } },
    ]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
  });

  it('and are not merged once one may have arrived', async () => {
    const { fetch, add, all } = rig({
      config: { routes: [{ name: 'profile', match: '/profile/:id', coalesce: true }] },
      server: [{ fail: 'network' }],
    });
    await fetch('/profile/7', { method: 'PUT', body: '1' });
    await add('/profile/7', { method: 'PUT', body: '2' });
    expect((await all()).map(({ state }) => state)).toEqual(['pending', 'pending']);
  });

  it('a settle whose claim was taken over changes nothing', async () => {
    const { add, engine, tab, all, network, system, transport } = rig({
      server: () => ({ status: 500, afterMs: 5_000 }),
    });
    await add('/a');
    void engine.drain.wake('start');
    await system.settle();
    network.steal('drain');
    transport.answer([{ status: 201 }]);
    void tab().engine.drain.wake('start');
    await system.passMs(60_000);
    expect(await all()).toMatchObject([{ state: 'delivered', answer: { status: 201 } }]);
  });

  it('what may have been received long ago is held for a person, and what was never sent is sent at any age', async () => {
    const { fetch, add, engine, all, system } = rig({ config: lanes, server: [{ fail: 'network' }, { status: 201 }] });
    await fetch('/docs/a', { method: 'PUT' });
    await add('/docs/b', { method: 'PUT' });
    system.setClock(1_000_000 + 72 * 3_600_000);
    void engine.drain.wake('start');
    await system.passMs(3_600_000);
    expect(await all()).toMatchObject([
      { state: 'dead', dead: { reason: 'held', message: expect.stringContaining('may have been received') as string } },
      { state: 'delivered' },
    ]);
  });
});
