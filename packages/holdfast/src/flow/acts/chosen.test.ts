import { describe, expect, it } from 'vitest';
import { openGates } from '../../core/control';
import { rig, type RigOptions } from '../../testing/rig';
import { cancel } from './cancel';
import { act } from './find';
import { bringForward } from './flush';
import { pause, resume } from './pause';
import { purge } from './purge';
import { reconcile } from './reconcile';
import { reprioritize } from './reprioritize';
import { signedIn } from './sign-in';

const config = {
  routes: [
    { name: 'docs', match: '/docs/:id', lane: 'doc-:id' },
    { name: 'api', match: '/*', lane: null },
  ],
};
const made = (options: RigOptions = {}) => {
  const rigged = rig({ config, ...options });
  return {
    ...rigged,
    gates: async () => (await rigged.store.transact('read', (rows) => rows.control('gates'))) ?? openGates,
    states: async () => (await rigged.all()).map(({ state }) => state),
    /** What other tabs hear from now on. */
    listen() {
      const heard: { readonly type: string }[] = [];
      rigged.tab().context.channel.subscribe((message) => heard.push(message as (typeof heard)[number]));
      return heard;
    },
  };
};

describe('a new urgency', () => {
  it.each([
    ['all that wait', {}, [0, 0, 0]],
    ['those of a route', { route: 'docs' }, [0, 0, 3]],
    ['those of a lane', { lane: 'doc-b' }, [3, 0, 3]],
    ['those in no lane', { lane: null }, [3, 3, 0]],
    ['those that fit in every way', { route: 'docs', lane: null }, [3, 3, 3]],
    ['those of a state, which is that they wait', { state: 'dead' as const }, [3, 3, 3]],
    ['none when none is named', { ids: [] }, [3, 3, 3]],
  ])('is for %s, and their number is told', async (_, filter, wanted) => {
    const { add, all, context } = made();
    for (const path of ['/docs/a', '/docs/b', '/c']) await add(path);
    expect(await reprioritize(context, filter, 0)).toBe(wanted.filter((priority) => priority === 0).length);
    expect((await all()).map(({ priority }) => priority)).toEqual(wanted);
  });

  it('is for those that are named', async () => {
    const { add, all, context } = made();
    await add('/a');
    const { id } = await add('/b');
    expect(await reprioritize(context, { ids: [id] }, 7)).toBe(1);
    expect((await all()).map(({ priority }) => priority)).toEqual([3, 7]);
  });

  it('leaves alone who has it, who is dead, and all of others', async () => {
    let who = 'ann';
    const { add, all, context } = made({ subject: () => who });
    await add('/a', {}, { priority: 0 });
    const dead = await add('/b');
    await cancel(context, dead.id);
    who = 'bob';
    await add('/c');
    who = 'ann';
    const before = await all();
    expect(await reprioritize(context, {}, 0)).toBe(0);
    expect(await all()).toEqual(before);
  });

  it.each([-1, 8, 1.5, NaN])('of %d is none', async (priority) => {
    await expect(reprioritize(made().context, {}, priority)).rejects.toMatchObject({ code: 'bad-option' });
  });

  it('reaches more than one transaction looks at, each once', async () => {
    const { add, all, context } = made();
    for (let nth = 0; nth < 501; nth += 1) await add('/a');
    expect(await reprioritize(context, {}, 5)).toBe(501);
    expect((await all()).every(({ priority, revision }) => priority === 5 && revision === 2)).toBe(true);
  });
});

describe('what is cancelled', () => {
  it('is closed, with the reason for the record, and the next of its lane goes on', async () => {
    const { add, all, context, logs, listen } = made();
    const { id } = await add('/docs/a');
    await add('/docs/a');
    const heard = listen();
    await cancel(context, id, { reason: 'a mistake' });
    expect(await all()).toMatchObject([
      { state: 'dead', head: false, dead: { reason: 'cancelled', message: 'a mistake', triage: 'closed' } },
      { state: 'pending', head: true },
    ]);
    expect(logs.at(-1)).toMatchObject({ event: 'cancel', id, route: 'docs' });
    expect(heard).toMatchObject([{ type: 'changed' }]);
  });

  it('must be as the caller saw it', async () => {
    const { add, context, states } = made();
    const { id, revision } = await add('/a');
    await reprioritize(context, {}, 0);
    await expect(cancel(context, id, { revision })).rejects.toMatchObject({ code: 'changed-meanwhile' });
    expect(await states()).toEqual(['pending']);
    await cancel(context, id, { revision: revision + 1 });
    expect(await states()).toEqual(['dead']);
  });

  it('is nothing that may have arrived, unless somebody gives it up, which is on record', async () => {
    const { add, all, context, engine } = made({ server: [{ fail: 'network' }] });
    const { id } = await add('/a');
    await engine.drain.wake('start');
    await expect(cancel(context, id)).rejects.toMatchObject({ code: 'outcome-unknown' });
    await cancel(context, id, { evenIfUnknown: true });
    expect((await all())[0]?.dead?.message).toMatch(/may have been received/);
  });

  it('says so when nothing of it was ever sent', async () => {
    const { add, all, context } = made();
    await cancel(context, (await add('/a')).id);
    expect((await all())[0]?.dead?.message).toBe('cancelled');
  });

  it('is nothing that has ended, and nothing of anybody else', async () => {
    let who = 'ann';
    const { add, context, engine } = made({ subject: () => who });
    const { id } = await add('/a');
    who = 'bob';
    await expect(cancel(context, id)).rejects.toMatchObject({ code: 'not-found' });
    who = 'ann';
    await engine.drain.wake('start');
    await expect(cancel(context, id)).rejects.toMatchObject({ code: 'illegal-move' });
  });
});

describe('a purge', () => {
  it('forgets all of one subject, whatever became of it, with its bodies, figures and key, and nothing of others', async () => {
    let who = 'ann';
    const { add, all, context, engine, store, system, logs, listen } = made({
      config: { ...config, encrypt: true },
      subject: () => who,
      server: ({ url }) =>
        url.endsWith('slow') ? { status: 201, afterMs: 60_000 } : { status: url.endsWith('bad') ? 422 : 201 },
    });
    await add('/good');
    await add('/bad', { body: 'x'.repeat(9_000) });
    await add('/slow');
    void engine.drain.wake('start');
    await system.passMs(1_000);
    await add('/later', {}, { notBefore: system.now() + 3_600_000 });
    who = 'bob';
    const { id } = await add('/bobs', { body: 'x'.repeat(9_000) });
    const heard = listen();

    expect(await purge(context, 'ann')).toBe(4);
    expect(await all()).toMatchObject([{ id, subject: 'bob' }]);
    const [kept, bodies, keys] = await store.transact(
      'read',
      async (rows) =>
        [await rows.control('book'), [await rows.body(2), await rows.body(5)], await rows.control('keys')] as const,
    );
    expect(Object.keys(kept?.subjects ?? {})).toEqual(['bob']);
    expect(bodies.map((body) => body !== undefined)).toEqual([false, true]);
    expect(Object.keys(keys ?? {})).toEqual(['bob']);
    expect(logs.at(-1)).toMatchObject({ event: 'dropped', reason: 'purge', queued: 4 });
    expect(heard.length).toBeGreaterThan(0);
  });

  it('forgets more than one transaction does', async () => {
    const { add, all, context } = made();
    for (let nth = 0; nth < 201; nth += 1) await add('/a');
    expect(await purge(context, '')).toBe(201);
    expect(await all()).toEqual([]);
  });
});

describe('what the server says it has', () => {
  it('is delivered here, and what it does not know of the delivered ones is listed', async () => {
    const { add, all, context, engine, system, states } = made({
      server: ({ url }) =>
        url.endsWith('slow') ? { status: 201, afterMs: 60_000 } : { status: url.endsWith('bad') ? 422 : 201 },
    });
    const good = await add('/good');
    const known = await add('/known');
    const bad = await add('/bad');
    const slow = await add('/slow');
    void engine.drain.wake('start');
    await system.passMs(1_000);
    const later = await add('/later', {}, { notBefore: system.now() + 3_600_000 });
    const keys = [known, bad, slow, later, later].map(({ key }) => key);
    expect(await reconcile(context, [...keys, 'of another device'])).toEqual({ delivered: 2, missing: [good.id] });
    expect(await states()).toEqual(['delivered', 'delivered', 'delivered', 'sending', 'delivered']);
    const done = (await all()).find(({ id }) => id === later.id);
    expect(done).toMatchObject({ outcome: 'answered', finishedAt: system.now() });
  });

  it('changes nothing of anybody else', async () => {
    let who = 'ann';
    const { add, context, states } = made({ subject: () => who });
    const { key } = await add('/a');
    who = 'bob';
    expect(await reconcile(context, [key])).toEqual({ delivered: 0, missing: [] });
    expect(await states()).toEqual(['pending']);
  });
});

describe('good credentials', () => {
  it('let go whoever waits for them, and nobody else', async () => {
    let who = 'ann';
    const { context, gates, add, engine, system, listen } = made({
      config: { ...config, refresh: () => false },
      subject: () => who,
      server: [{ status: 401 }],
    });
    for (who of ['ann', 'bob']) {
      await add('/a');
      void engine.drain.wake('start');
      await system.passMs(60_000);
    }
    expect(Object.keys((await gates()).signIn)).toEqual(['ann', 'bob']);
    const heard = listen();
    await signedIn(context);
    expect(Object.keys((await gates()).signIn)).toEqual(['ann']);
    expect(heard).toMatchObject([{ type: 'changed' }]);
  });
});

describe('a pause', () => {
  it.each([
    ['of a route', { route: 'docs' }, ['pending', 'delivered']],
    ['of a lane', { lane: 'doc-a' }, ['pending', 'delivered']],
    ['of everything', {}, ['pending', 'pending']],
  ])('%s holds that back and nothing else, until exactly that is resumed', async (_, scope, wanted) => {
    const { add, context, engine, states, gates, logs } = made();
    await pause(context, { route: 'other' });
    await pause(context, { ...scope, why: 'stocktaking' });
    expect(JSON.stringify(await gates())).toContain('{"until":null,"why":"stocktaking"}');
    expect(logs.at(-1)).toMatchObject({ event: 'pause', route: Object.values(scope)[0] ?? '*' });
    for (const path of ['/docs/a', '/b']) await add(path);
    await engine.drain.wake('start');
    expect(await states()).toEqual(wanted);
    await resume(context, scope);
    expect(logs.at(-1)).toMatchObject({ event: 'resume', route: Object.values(scope)[0] ?? '*' });
    await engine.drain.wake('person');
    expect(await states()).toEqual(['delivered', 'delivered']);
    expect((await gates()).routes).toEqual({ other: { until: null } });
    expect(await gates()).not.toHaveProperty('all');
  });
});

describe('an act of nobody known', () => {
  it('is one of the app without subjects', async () => {
    const { context } = made({ subject: () => null });
    expect(await act(context, (_, subject) => Promise.resolve(subject))).toBe('');
    await bringForward(context, { force: true });
  });
});
