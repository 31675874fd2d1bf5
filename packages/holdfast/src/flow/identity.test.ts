import { describe, expect, it } from 'vitest';
import { memoryStore } from '../testing/memory-store';
import { headerOf } from '../core/header-pairs';
import { rig } from '../testing/rig';
import { pause, resume } from './acts/pause';
import { purge } from './acts/purge';
import { signedIn } from './acts/sign-in';
import { look } from './look';
import { seen, sightOf } from './look';
import { openGates } from '../core/control';
import { bucketOf } from '../core/index-keys';

const status = {
  durability: 'memory',
  persisted: 'unknown',
  sender: 'page',
  protected: false,
  backgroundSync: false,
  limits: [],
} as const;

describe('nobody else’s name', () => {
  it('sends only for whoever is signed in, and shows and counts only theirs', async () => {
    let who: string | null = 'ann';
    const { add, engine, transport, context, system, all } = rig({ subject: () => who });
    await add('/a');
    who = 'bob';
    await add('/b');
    void engine.drain.wake('start');
    await system.passMs(60_000);
    expect(transport.sent.map(({ url }) => url)).toEqual(['https://app.example/b']);
    expect(await look(context, status)).toMatchObject({
      counts: { pending: 0, delivered: 1 },
      entries: [{ state: 'delivered' }],
    });
    const [annes] = await all();
    expect(annes && seen(annes, sightOf(context, openGates, who)).why).toMatchObject({ kind: 'other-subject' });

    who = null;
    void engine.drain.wake('person');
    await system.passMs(60_000);
    expect(transport.sent).toHaveLength(1);
    who = 'ann';
    void engine.drain.wake('person');
    await system.passMs(60_000);
    expect(transport.sent).toHaveLength(2);
  });

  it('while the app cannot say who is signed in nothing is sent and nothing dies', async () => {
    let broken = false;
    const { add, engine, transport, system, all } = rig({
      config: { routes: [{ name: 'docs', match: '/docs' }] },
      subject: () => {
        if (broken) throw new Error('the session cannot be read');
        return 'ann';
      },
      server: () => {
        broken = transport.sent.length === 4;
        return { status: 201, afterMs: 10 };
      },
    });
    for (let n = 0; n < 6; n += 1) await add('/docs');
    void engine.drain.wake('start');
    await system.passMs(20_000);
    expect(transport.sent).toHaveLength(4);
    expect((await all()).map(({ state }) => state).filter((state) => state === 'dead')).toEqual([]);
    broken = false;
    await system.passMs(20_000);
    expect((await all()).every(({ state }) => state === 'delivered')).toBe(true);
  });

  it('a switch in the middle of a drain stops it before the next request', async () => {
    let who = 'ann';
    const { add, engine, transport, system, all } = rig({
      config: { routes: [{ name: 'docs', match: '/docs' }] },
      subject: () => who,
      server: () => ({ status: 201, afterMs: 1_000 }),
    });
    for (let n = 0; n < 5; n += 1) await add('/docs');
    void engine.drain.wake('start');
    await system.passMs(1_500);
    who = 'bob';
    await system.passMs(60_000);
    expect(transport.sent.length).toBeLessThanOrEqual(2);
    expect((await all()).filter(({ state }) => state === 'pending').length).toBeGreaterThanOrEqual(3);
  });

  it('a stale token is renewed once for the whole drain, and everything goes out with the fresh one', async () => {
    let token = 'stale';
    let renewals = 0;
    const { add, engine, transport, system, all } = rig({
      config: {
        routes: [{ name: 'api', match: '/*', lane: null }],
        beforeSend: () => ({ authorization: token }),
        refresh: () => {
          renewals += 1;
          token = 'fresh';
          return true;
        },
      },
      server: ({ headers }) => ({ status: headerOf(headers, 'authorization') === 'fresh' ? 201 : 401 }),
    });
    for (const path of ['/a', '/b', '/c']) await add(path, { headers: { authorization: 'old' } });
    expect(JSON.stringify(await all())).not.toContain('old');
    void engine.drain.wake('start');
    await system.passMs(60_000);
    expect((await all()).map(({ state, attempts }) => [state, attempts])).toEqual(
      Array.from({ length: 3 }, () => ['delivered', 0]),
    );
    expect(renewals).toBe(1);
    expect(new Set(transport.sent.map(({ headers }) => headerOf(headers, 'idempotency-key'))).size).toBe(3);
  });

  it('when nobody can renew, entries wait for sign-in without losing budget, and go on after it', async () => {
    let good = false;
    const { add, engine, system, all, context, transport } = rig({
      config: { routes: [{ name: 'api', match: '/*', lane: null }], refresh: () => false },
      server: () => ({ status: good ? 201 : 401 }),
    });
    await add('/a');
    await add('/b');
    void engine.drain.wake('start');
    await system.passMs(3_600_000);
    expect(await all()).toMatchObject([
      { state: 'pending', attempts: 0 },
      { state: 'pending', attempts: 0 },
    ]);
    expect(await look(context, status)).toMatchObject({ signInNeeded: true });
    expect(transport.sent.length).toBeLessThanOrEqual(3);

    good = true;
    await signedIn(context);
    void engine.drain.wake('person');
    await system.passMs(60_000);
    expect((await all()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  it('a row whose address lies outside of every route is put aside, never sent', async () => {
    const store = memoryStore();
    const { add, engine, transport, system, all } = rig({
      store,
      config: { routes: [{ name: 'api', match: '/*', lane: null }] },
    });
    const entry = await add('/a');
    await store.transact('strict', async (rows) => {
      const tampered = { ...entry, request: { ...entry.request, url: 'https://evil.example/steal' } };
      await rows.put(tampered);
      const book = await rows.control('book');
      if (book) await rows.putControl('book', { ...book, buckets: { [bucketOf(tampered)]: 1 } });
    });
    void engine.drain.wake('start');
    await system.passMs(60_000);
    expect(transport.sent).toEqual([]);
    expect(await all()).toMatchObject([{ state: 'dead', dead: { reason: 'unreadable' } }]);
  });

  it('purging a subject forgets everything of it and nothing of others', async () => {
    let who = 'ann';
    const { add, context, engine, all, store } = rig({
      config: { routes: [{ name: 'api', match: '/*' }], refresh: () => false },
      subject: () => who,
      server: [{ status: 401 }],
    });
    for (let n = 0; n < 3; n += 1) await add('/a', { body: 'x'.repeat(9_000) });
    await pause(context, { lane: 'api' });
    await engine.drain.wake('start');
    await resume(context, { lane: 'api' });
    await engine.drain.wake('start');
    who = 'bob';
    await add('/b');
    expect(await purge(context, 'ann')).toBe(3);
    expect(await all()).toMatchObject([{ subject: 'bob' }]);
    const left = await store.transact('read', (rows) => Promise.all([rows.control('book'), rows.control('gates')]));
    expect(JSON.stringify(left)).not.toContain('ann');
    expect(left[0]).toMatchObject({ subjects: { bob: { pending: 1 } }, tallies: { bob: { accepted: 1 } } });
  });

  it('a stored credential is flagged', async () => {
    const { add } = rig();
    expect(await add('/a', { headers: { authorization: 'Bearer x' } })).toMatchObject({ holdsSecrets: true });
    expect(await add('/a')).not.toHaveProperty('holdsSecrets');
  });
});

describe('when nobody is signed in', () => {
  it('a healthy request goes through, and one that fails is not told to be kept', async () => {
    const { fetch, add, all } = rig({ subject: () => null, server: [{ status: 201 }, { fail: 'network' }] });
    expect((await fetch('/a')).kind).toBe('answered');
    expect(await fetch('/b')).toMatchObject({ kind: 'failed', error: { code: 'no-subject' } });
    await expect(add('/c')).rejects.toMatchObject({ code: 'no-subject' });
    expect(await all()).toEqual([]);
  });
});
