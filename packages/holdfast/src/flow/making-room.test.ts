import { describe, expect, it } from 'vitest';
import type { Limits } from '../core/options';
import { rig, type RigOptions } from '../testing/rig';
import { cancel } from './acts/cancel';

const routes = [
  { name: 'docs', match: '/docs/:id', lane: 'doc-:id' },
  { name: 'api', match: '/*', lane: null },
];
const limited = (limits: Partial<Limits>, options: RigOptions = {}) => {
  const made = rig({ config: { routes, limits }, ...options });
  return {
    ...made,
    became: async () =>
      (await made.all()).map(({ state, request, dead }) => [new URL(request.url).pathname, dead?.reason ?? state]),
  };
};
const full = { code: 'full' };
const kb = (count: number) => ({ body: 'x'.repeat(count * 1_000) });

describe('a full outbox', () => {
  it('refuses the newest, says which limit it was, and leaves nothing of it behind', async () => {
    const { add, became, all } = limited({ entries: 2 });
    await add('/a');
    await add('/b');
    const before = await all();
    await expect(add('/c')).rejects.toMatchObject({ ...full, message: expect.stringContaining('limit 2') as string });
    expect(await all()).toEqual(before);
    expect(await became()).toHaveLength(2);
  });

  it('counts what waits and what is on its way, of everybody, and nothing that has ended', async () => {
    let who = 'ann';
    const { add, engine, system, context } = limited(
      { entries: 3 },
      { subject: () => who, server: ({ url }) => ({ status: 201, afterMs: url.endsWith('slow') ? 60_000 : 0 }) },
    );
    await add('/done');
    await cancel(context, (await add('/cancelled')).id);
    await add('/slow');
    void engine.drain.wake('start');
    await system.passMs(1_000);
    await add('/b');
    who = 'bob';
    await add('/c');
    await expect(add('/d')).rejects.toMatchObject(full);
  });

  it('drops the oldest that was never sent, when asked to, and keeps it among the dead', async () => {
    const { add, became, engine, all } = limited({ entries: 2, onFull: 'drop-oldest' }, { server: [{ status: 500 }] });
    await add('/tried');
    await engine.drain.wake('start');
    await add('/b', { body: 'kept' });
    const { id } = await add('/c');
    expect(await became()).toEqual([
      ['/tried', 'pending'],
      ['/b', 'dropped'],
      ['/c', 'pending'],
    ]);
    const [, dropped, newest] = await all();
    expect(dropped?.body).toMatchObject({ kind: 'inline', size: 4 });
    expect(dropped?.dead).toMatchObject({ triage: 'open', at: newest?.createdAt });
    expect(newest?.id).toBe(id);
  });

  it('refuses when all that wait may have arrived, though asked to drop', async () => {
    const { add, became, engine } = limited({ entries: 1, onFull: 'drop-oldest' }, { server: [{ fail: 'network' }] });
    await add('/tried');
    await engine.drain.wake('start');
    await expect(add('/b')).rejects.toMatchObject(full);
    expect(await became()).toEqual([['/tried', 'pending']]);
  });

  it('drops nothing of anybody else, and nothing that others wait for', async () => {
    let who = 'ann';
    const { add, became } = limited({ entries: 3, onFull: 'drop-oldest' }, { subject: () => who });
    await add('/anns');
    who = 'bob';
    const parent = await add('/parent');
    await add('/child', {}, { dependsOn: [parent.id] });
    await add('/more');
    expect(await became()).toEqual([
      ['/anns', 'pending'],
      ['/parent', 'pending'],
      ['/child', 'dropped'],
      ['/more', 'pending'],
    ]);
  });

  it('drops nothing that the new one depends on', async () => {
    const { add, became } = limited({ entries: 2, onFull: 'drop-oldest' });
    const parent = await add('/parent');
    await add('/b');
    await add('/child', {}, { dependsOn: [parent.id] });
    expect((await became()).map(([, what]) => what)).toEqual(['pending', 'dropped', 'pending']);
  });
});

describe('a full lane', () => {
  it('refuses the newest of that lane and nobody of another', async () => {
    const { add, became } = limited({ perLane: 2 });
    for (const path of ['/docs/a', '/docs/a', '/c', '/d', '/e']) await add(path);
    await expect(add('/docs/a')).rejects.toMatchObject({
      ...full,
      message: expect.stringContaining('its lane holds 2') as string,
    });
    await add('/docs/b');
    expect(await became()).toHaveLength(6);
  });

  it('drops the oldest of that lane, not an older one of another, and its next stands first', async () => {
    const { add, became, all } = limited({ perLane: 2, onFull: 'drop-oldest' });
    for (const path of ['/older', '/docs/a', '/docs/a', '/docs/a']) await add(path);
    expect((await became()).map(([, what]) => what)).toEqual(['pending', 'dropped', 'pending', 'pending']);
    expect((await all()).map(({ head }) => head)).toEqual([true, false, true, false]);
  });

  it('counts no one that the new one takes the place of', async () => {
    const { add, became } = limited({ perLane: 1, entries: 1 });
    const supersede = { key: 'x', mode: 'keep-latest' } as const;
    await add('/docs/a', {}, { supersede });
    await add('/docs/a', {}, { supersede });
    expect(await became()).toEqual([
      ['/docs/a', 'superseded'],
      ['/docs/a', 'pending'],
    ]);
  });

  it('drops no one that makes way anyhow', async () => {
    const { add, became } = limited({ bytes: 5_000, onFull: 'drop-oldest' });
    const supersede = { key: 'x', mode: 'keep-latest' } as const;
    await add('/a', kb(2), { supersede });
    await add('/b', kb(2));
    await add('/a', kb(2), { supersede });
    expect(await became()).toEqual([
      ['/a', 'superseded'],
      ['/b', 'dropped'],
      ['/a', 'pending'],
    ]);
  });
});

describe('an outbox without room for a body', () => {
  it('refuses it, and takes what has none', async () => {
    const { add, became } = limited({ bytes: 5_000 });
    await add('/a', kb(5));
    await expect(add('/b', { body: 'x' })).rejects.toMatchObject({
      ...full,
      message: expect.stringContaining('limit 5000 bytes') as string,
    });
    await add('/c', { body: null });
    expect(await became()).toHaveLength(2);
  });

  it.each([2, 9])('drops the bytes of the oldest, of %d kB each, and keeps the rest of it', async (size) => {
    const { add, all, store } = limited({ bytes: size * 2_000, onFull: 'drop-oldest' });
    for (const path of ['/a', '/b', '/c']) await add(path, kb(size));
    const [dropped, second, third] = await all();
    expect(dropped).toMatchObject({ dead: { reason: 'dropped' }, body: { kind: 'none', size: 0 } });
    expect(dropped?.body.type).toBe(second?.body.type);
    expect(dropped?.body).not.toHaveProperty('bytes');
    expect([second?.body.size, third?.body.size]).toEqual([size * 1_000, size * 1_000]);
    expect(await store.transact('read', (rows) => rows.body(1))).toBeUndefined();
  });

  it('drops as many as have to go, and refuses when even that is not enough', async () => {
    const { add, became } = limited({ bytes: 6_000, onFull: 'drop-oldest' });
    for (const path of ['/a', '/b', '/c']) await add(path, kb(2));
    await add('/d', kb(4));
    expect((await became()).map(([, what]) => what)).toEqual(['dropped', 'dropped', 'pending', 'pending']);
    await expect(add('/e', kb(7))).rejects.toMatchObject(full);
  });
});
