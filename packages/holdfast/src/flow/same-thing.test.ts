import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../core/options';
import { rig } from '../testing/rig';
import { cancel } from './acts/cancel';

const key = { key: 'mine' };
const large = 'x'.repeat(9_000);

describe('a key that is told twice', () => {
  it.each<[string, RequestInit]>([
    ['without a body', {}],
    ['with a body', { body: 'abc' }],
    ['with a large one', { body: large }],
  ])('for the same request %s is one intent', async (_, init) => {
    const { add, all, store } = rig();
    const first = await add('/a', init, key);
    expect(await add('/a', init, key)).toEqual(first);
    expect(await all()).toEqual([first]);
    const book = await store.transact('read', (rows) => rows.control('book'));
    expect(book?.tallies?.['']?.accepted).toBe(1);
  });

  it.each<[string, string, RequestInit]>([
    ['address', '/b', { body: 'abc' }],
    ['method', '/a', { method: 'PUT', body: 'abc' }],
    ['body', '/a', { body: 'abd' }],
    ['length', '/a', { body: 'abcd' }],
    ['lack of a body', '/a', {}],
  ])('for a request of another %s is refused', async (_, path, init) => {
    const { add, all } = rig();
    await add('/a', { body: 'abc' }, key);
    await expect(add(path, init, key)).rejects.toMatchObject({ code: 'duplicate-key' });
    expect(await all()).toHaveLength(1);
  });

  it('for large bodies goes by their digests', async () => {
    const { add, context } = rig();
    const { prepareBody } = context;
    let digest: string | undefined = 'one';
    Object.assign(context, {
      prepareBody: async (...body: Parameters<typeof prepareBody>) => {
        const { info, apart } = await prepareBody(...body);
        return { info: { ...info, ...(digest !== undefined && { digest }) }, apart };
      },
    });
    await add('/a', { body: large }, key);
    await add('/a', { body: large }, key);
    for (digest of ['two', undefined])
      await expect(add('/a', { body: large }, key)).rejects.toMatchObject({ code: 'duplicate-key' });
  });

  it('for what is encrypted goes by the size inside', async () => {
    const { add, all } = rig({ config: { routes: [{ name: 'api', match: '/*' }], encrypt: true } });
    await add('/a', { body: 'abc', headers: { 'x-long': 'y' } }, key);
    await add('/a', { body: 'abc', headers: { 'x-long': 'yyyy' } }, key);
    expect(await all()).toHaveLength(1);
    await expect(add('/a', { body: 'abcd' }, key)).rejects.toMatchObject({ code: 'duplicate-key' });
  });
});

describe('a newer write of the same thing', () => {
  const latest: CallOptions = { supersede: { key: 'x', mode: 'keep-latest' } };
  const first: CallOptions = { supersede: { key: 'x', mode: 'keep-first' } };

  it('takes the place of the one that waits, unless that is to be kept', async () => {
    const { add, all } = rig();
    const kept = await add('/a', { body: '1' }, latest);
    expect(await add('/a', { body: '2' }, first)).toEqual(kept);
    const newest = await add('/a', { body: '3' }, latest);
    expect(await all()).toMatchObject([
      { id: kept.id, dead: { reason: 'superseded', triage: 'closed', at: newest.createdAt } },
      { id: newest.id, state: 'pending' },
    ]);
  });

  it('takes no place of what may have arrived, of what ended and of what others wait for', async () => {
    const { add, all, engine, context, transport } = rig({ server: [{ fail: 'network' }] });
    await add('/tried', {}, latest);
    await engine.drain.wake('start');
    transport.answer([{ status: 201 }]);
    await cancel(context, (await add('/cancelled', {}, latest)).id);
    const parent = await add('/parent', {}, { ...latest, notBefore: 9_000_000 });
    await add('/child', {}, { dependsOn: [parent.id] });
    await add('/newest', {}, latest);
    expect((await all()).map(({ dead }) => dead?.reason)).toEqual([
      undefined,
      'cancelled',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is another for each subject', async () => {
    let who = 'ann';
    const { add, all } = rig({ subject: () => who });
    await add('/a', {}, latest);
    who = 'bob';
    await add('/a', {}, latest);
    expect(await all()).toMatchObject([{ state: 'pending' }, { state: 'pending' }]);
  });
});

describe('what a request depends on', () => {
  it('must be there, and be of the same subject', async () => {
    let who = 'ann';
    const { add, all } = rig({ subject: () => who });
    const { id } = await add('/a');
    await expect(add('/b', {}, { dependsOn: ['nobody'] })).rejects.toMatchObject({ code: 'dependency-failed' });
    who = 'bob';
    await expect(add('/b', {}, { dependsOn: [id] })).rejects.toMatchObject({ code: 'dependency-failed' });
    expect(await all()).toHaveLength(1);
  });

  it('is not waited for once it is delivered: its answer is there', async () => {
    const { add, engine } = rig({
      config: { routes: [{ name: 'api', match: '/*', keepBodyBytes: 100 }] },
      server: [{ status: 201, body: { id: 7 } }],
    });
    const done = await add('/a');
    await engine.drain.wake('start');
    const waits = await add('/b');
    const child = await add('/c', {}, { dependsOn: [done.id, waits.id] });
    expect(child).toMatchObject({ waitsFor: [waits.id], parents: { [done.id]: { status: 201 } } });
    expect(Object.keys(child.parents ?? {})).toEqual([done.id]);
    expect(await add('/d', {}, { dependsOn: [done.id] })).not.toHaveProperty('waitsFor');
    expect(await add('/e')).not.toHaveProperty('parents');
  });

  it('knows all that wait for it', async () => {
    const { add, all } = rig();
    const { id } = await add('/a');
    const children = [await add('/b', {}, { dependsOn: [id] }), await add('/c', {}, { dependsOn: [id] })];
    expect((await all())[0]?.children).toEqual(children.map((child) => child.id));
  });
});
