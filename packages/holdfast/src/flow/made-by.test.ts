import { describe, expect, it } from 'vitest';
import { rig, rigOrigin, type RigOptions } from '../testing/rig';
import { pause } from './acts/pause';
import { capture, partsOf } from './capture';
import { factsOf } from './intent';
import { whoIsSignedIn } from './subject';

/** A context that knows who is signed in from the store, as pages and workers do, and somebody who changes that unheard. */
function unheard(options: RigOptions = {}) {
  const made = rig(options);
  const { context, engine, store, system } = made;
  Object.assign(context, whoIsSignedIn(context.config, context));
  const looks = { read: 0, strict: 0, relaxed: 0 };
  const { transact } = context.store;
  context.store.transact = (durability, work) => {
    looks[durability] += 1;
    return transact(durability, work);
  };
  return {
    ...made,
    looks,
    signIn: (id: string | null) =>
      store.transact('strict', (rows) => rows.putControl('subject', { id, at: system.now() })),
    /** A page's fetch as a worker catches it. */
    caught(path: string) {
      const request = new Request(rigOrigin + path, { method: 'POST', body: path });
      const found = context.config.route(factsOf(partsOf(request)), rigOrigin)!;
      return engine.live({
        captured: capture(request),
        ...found,
        call: {},
        caughtBy: { clientId: 'page', run: 'one' },
        answered: Promise.resolve(),
      });
    },
    whose: async () => (await made.all()).map(({ subject, request }) => `${subject} ${new URL(request.url).pathname}`),
  };
}

const down = { server: () => ({ fail: 'network' }) as const };
const inLane = { config: { routes: [{ name: 'api', match: '/*', lane: 'one' }] } };

describe('whom a request is made for', () => {
  it.each(['add', 'fetch'] as const)(
    'is whoever was signed in when it was made, however long its lane keeps it waiting (%s)',
    async (how) => {
      const { add, caught, signIn, whose, system } = unheard({
        ...inLane,
        server: ({ url }) => (url.endsWith('/1') ? { fail: 'network', afterMs: 5_000 } : { status: 201 }),
      });
      await signIn('anna');
      const first = caught('/1');
      await system.passMs(10);
      const second = how === 'add' ? add('/2') : caught('/2');
      await system.passMs(10);
      await signIn('bert');
      await system.passMs(6_000);
      await Promise.all([first, second]);
      expect(await whose()).toEqual(['anna /1', 'anna /2']);
    },
  );

  it('is whoever is signed in when it is made, though nobody said that this has changed', async () => {
    const { add, signIn, whose } = unheard(inLane);
    await signIn('anna');
    await add('/1');
    await signIn('bert');
    await Promise.all([add('/2'), add('/3')]);
    await add('/4');
    expect(await whose()).toEqual(['anna /1', 'bert /2', 'bert /3', 'bert /4']);
  });

  it.each([
    ['in a lane', inLane],
    ['without one', {}],
  ])('is whoever is signed in when a worker catches it, %s', async (_, config) => {
    const { caught, signIn, whose, store } = unheard({ ...down, ...config });
    await signIn('anna');
    await caught('/1');
    await signIn('bert');
    await Promise.all([caught('/2'), caught('/3')]);
    expect((await whose()).sort()).toEqual(['anna /1', 'bert /2', 'bert /3']);
    expect(await store.transact('read', (rows) => rows.journal())).toEqual([]);
  });

  it('goes out once, under one key, though it was begun for somebody else', async () => {
    const { caught, signIn, transport } = unheard();
    await signIn('anna');
    await caught('/1');
    await signIn('bert');
    expect(await caught('/2')).toMatchObject({ kind: 'answered' });
    expect(transport.sent.map(({ url }) => new URL(url).pathname)).toEqual(['/1', '/2']);
  });

  it('is nobody when nobody is there any more: it is not kept', async () => {
    const { add, caught, signIn, whose } = unheard(down);
    await signIn('anna');
    await add('/1');
    await signIn(null);
    await expect(add('/2')).rejects.toMatchObject({ code: 'no-subject' });
    expect(await caught('/3')).toMatchObject({ kind: 'failed', error: { code: 'no-subject' } });
    expect(await whose()).toEqual(['anna /1']);
  });
});

describe('a healthy fetch that a worker has caught', () => {
  it('that waited for its turn looks again: what was decided meanwhile holds it, too', async () => {
    const { caught, context, system, transport } = unheard({
      ...inLane,
      server: ({ url }) => ({ status: 201, afterMs: url.endsWith('/1') ? 5_000 : 0 }),
    });
    const first = caught('/1');
    const second = caught('/2');
    await system.passMs(1_000);
    await pause(context);
    await system.passMs(6_000);
    expect(await first).toMatchObject({ kind: 'answered' });
    expect(await second).toMatchObject({ kind: 'queued' });
    expect(transport.sent).toHaveLength(1);
  });

  it('is noted, and what lies before it is seen, by one transaction', async () => {
    const { caught, looks, transport } = unheard({
      server: () => {
        before.push({ ...looks });
        return { status: 201 };
      },
    });
    const before: (typeof looks)[] = [];
    await caught('/1');
    await Promise.resolve();
    looks.read = looks.relaxed = looks.strict = 0;
    await caught('/2');
    expect(transport.sent).toHaveLength(2);
    // The read asks who is signed in.
    expect(before[1]).toEqual({ read: 1, relaxed: 1, strict: 0 });
  });
});
