import { describe, expect, it } from 'vitest';
import { memoryStore } from '../testing/memory-store';
import { OutboxError } from '../core/errors';
import type { Store } from '../ports';
import { rig } from '../testing/rig';

describe('nothing accepted is lost', () => {
  it.each([
    [503, 'pending'],
    [500, 'pending'],
    [408, 'pending'],
    [429, 'pending'],
    [599, 'pending'],
    [401, 'dead'],
    [403, 'dead'],
    [404, 'dead'],
    [409, 'dead'],
    [412, 'dead'],
    [413, 'dead'],
    [422, 'dead'],
    [501, 'dead'],
  ])('an answer %i of the server leaves a queued request %s, never gone', async (status, state) => {
    const { add, engine, all } = rig({ server: [{ status }] });
    await add('/orders', { body: 'kept' });
    await engine.drain.wake('start');
    const [entry] = await all();
    expect(entry).toMatchObject({ state, lastFailure: { status } });
    expect(new TextDecoder().decode(entry?.body.bytes)).toBe('kept');
  });

  it('a live 503 is kept, and a live 422 is the page’s own answer', async () => {
    const { fetch, all } = rig({ server: [{ status: 422 }, { status: 503 }] });
    expect(await fetch('/a')).toMatchObject({ kind: 'answered', response: { status: 422 } });
    expect((await fetch('/b')).kind).toBe('queued');
    expect(await all()).toMatchObject([{ state: 'pending', attempts: 1 }]);
  });

  it.each([
    [
      'a redirect to a sign-in page elsewhere',
      { status: 200, redirected: true, url: 'https://portal.example/login', headers: { 'content-type': 'text/html' } },
    ],
    ['a web page where JSON was asked for', { status: 200, headers: { 'content-type': 'text/html' } }],
    ['511', { status: 511 }],
  ])('a captive portal is no success: %s', async (_, answer) => {
    const { add, engine, all, transport, system } = rig({ server: [answer] });
    await add('/a', { headers: { accept: 'application/json' } });
    await add('/b', { headers: { accept: 'application/json' } });
    void engine.drain.wake('start');
    await system.passMs(3_600_000);
    expect(await all()).toMatchObject([
      { state: 'pending', attempts: 0 },
      { state: 'pending', attempts: 0 },
    ]);
    transport.answer([{ status: 201 }]);
    await system.passMs(600_000);
    expect((await all()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  it('GraphQL that answers 200 with errors is what the app says it is', async () => {
    const { add, engine, all } = rig({
      config: {
        routes: [
          {
            name: 'graphql',
            match: '/graphql',
            classify: async (answer) => ((await answer.text()).includes('UNAUTHENTICATED') ? 'rejected' : undefined),
          },
        ],
      },
      server: [
        { status: 200, body: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] } },
        { status: 200, body: { data: {} } },
      ],
    });
    await add('/graphql', { body: '1' });
    await add('/graphql', { body: '2' });
    await engine.drain.wake('start');
    expect(await all()).toMatchObject([{ state: 'dead', dead: { reason: 'rejected' } }, { state: 'delivered' }]);
  });

  it('a budget that is used up ends in the dead letters with everything a person needs', async () => {
    const { add, engine, all, system, logs } = rig({ server: [{ status: 500 }] });
    await add('/orders/7', { body: 'x' }, { meta: { orderId: 7 } });
    void engine.drain.wake('start');
    await system.passMs(86_400_000);
    const [entry] = await all();
    expect(entry).toMatchObject({
      state: 'dead',
      attempts: 7,
      dead: { reason: 'exhausted', triage: 'open' },
      meta: { orderId: 7 },
      firstFailure: { status: 500 },
      lastFailure: { status: 500 },
    });
    expect(entry?.history).toHaveLength(7);
    expect(logs.some(({ event, id }) => event === 'max_retry_exceeded' && id === entry?.id)).toBe(true);
  });

  it('a failure to store is never told as "queued": the page gets its network error and the reason', async () => {
    const store = memoryStore();
    const full: Store = {
      ...store,
      transact: (durability, work) =>
        durability === 'read'
          ? store.transact(durability, work)
          : Promise.reject(new OutboxError('quota-exceeded', 'the disk is full')),
    };
    const { fetch, events } = rig({ store: full, server: [{ fail: 'network' }] });
    expect(await fetch('/a')).toMatchObject({ kind: 'failed', error: { code: 'quota-exceeded' } });
    expect(events).toContainEqual(expect.objectContaining({ type: 'error', code: 'quota-exceeded' }));
  });

  it('with no store at all, healthy requests go through as without us', async () => {
    const broken: Store = {
      ...memoryStore(),
      transact: () => Promise.reject(new OutboxError('storage-unavailable', 'no storage')),
    };
    const { fetch } = rig({ store: broken });
    expect(await fetch('/a')).toMatchObject({ kind: 'answered', response: { status: 201 } });
  });

  it('limits refuse the newest by default, and drop the oldest never-sent one by choice', async () => {
    const routes = [{ name: 'api', match: '/*', lane: null }];
    const refusing = rig({ config: { routes, limits: { entries: 2 } } });
    await refusing.add('/1');
    await refusing.add('/2');
    await expect(refusing.add('/3')).rejects.toMatchObject({ code: 'full' });
    expect(await refusing.all()).toHaveLength(2);

    const dropping = rig({ config: { routes, limits: { entries: 2, onFull: 'drop-oldest' } } });
    for (const path of ['/1', '/2', '/3']) await dropping.add(path);
    expect(await dropping.all()).toMatchObject([
      { state: 'dead', dead: { reason: 'dropped', triage: 'open' } },
      { state: 'pending' },
      { state: 'pending' },
    ]);
  });

  it('what is merely looked at does not change', async () => {
    const { add, system, all, context } = rig();
    await add('/a', {}, { expiresInMs: 1_000 });
    const before = await all();
    await system.passMs(8 * 86_400_000);
    const { look } = await import('./look');
    const status = {
      durability: 'memory',
      persisted: 'unknown',
      sender: 'page',
      protected: false,
      backgroundSync: false,
      limits: [],
    } as const;
    expect((await look(context, status)).counts.pending).toBe(1);
    expect(await all()).toEqual(before);
  });
});

describe('acts of people', () => {
  it('what was never sent can be cancelled; what may have been received only given up, and the record says so', async () => {
    const { cancel } = await import('./acts/cancel');
    const { add, fetch, all, context } = rig({ server: [{ fail: 'network' }] });
    const fresh = await add('/a');
    await fetch('/b');
    await cancel(context, fresh.id);
    const doubtful = (await all())[1];
    await expect(cancel(context, doubtful?.id ?? '')).rejects.toMatchObject({ code: 'outcome-unknown' });
    await cancel(context, doubtful?.id ?? '', { evenIfUnknown: true });
    expect(await all()).toMatchObject([
      { state: 'dead', dead: { reason: 'cancelled', triage: 'closed' } },
      {
        state: 'dead',
        dead: { reason: 'cancelled', message: expect.stringContaining('may have been received') as string },
      },
    ]);
  });

  it('an edit keeps the key while nothing was sent and makes a new one after an answer, and compares before it sets', async () => {
    const { edit } = await import('./acts/edit');
    const { add, engine, all, context } = rig({ server: [{ status: 422 }] });
    const entry = await add('/a', { body: '1' });
    const body = { body: new TextEncoder().encode('2'), type: 'text/plain' };
    await edit(context, entry.id, { body }, entry.revision);
    await expect(edit(context, entry.id, { body }, entry.revision)).rejects.toMatchObject({
      code: 'changed-meanwhile',
    });
    expect((await all())[0]?.key).toBe(entry.key);
    await engine.drain.wake('start');
    await edit(context, entry.id, { body: { body: new TextEncoder().encode('3') } });
    expect((await all())[0]).toMatchObject({ state: 'dead', outcome: 'never-sent' });
    expect((await all())[0]?.key).not.toBe(entry.key);
  });

  it('claim, close and the figures about them', async () => {
    const { claimDead, closeDead } = await import('./acts/triage');
    const { add, engine, all, context, system, store } = rig({ server: [{ status: 422 }] });
    const entry = await add('/a');
    await engine.drain.wake('start');
    await claimDead(context, entry.id, 'Ann');
    await system.passMs(5_000);
    await closeDead(context, entry.id, 'entered by hand');
    expect(await all()).toMatchObject([{ dead: { triage: 'closed', assignee: 'Ann', resolution: 'entered by hand' } }]);
    const book = await store.transact('read', (rows) => rows.control('book'));
    expect(book?.tallies?.['']).toMatchObject({ closed: 1, closeMs: 5_000 });
    expect(book?.subjects['']).toMatchObject({ dead: 1, open: 0 });
  });

  it('a held lane waits for a person, and goes on when the dead one is closed', async () => {
    const { closeDead } = await import('./acts/triage');
    const { add, engine, all, context, transport, system } = rig({
      config: { routes: [{ name: 'docs', match: '/docs', laneOnDead: 'hold-lane' }] },
      server: [{ status: 422 }, { status: 201 }],
    });
    const first = await add('/docs');
    await add('/docs');
    void engine.drain.wake('start');
    await system.passMs(60_000);
    expect((await all()).map(({ state }) => state)).toEqual(['dead', 'pending']);
    await closeDead(context, first.id, 'not needed');
    void engine.drain.wake('person');
    await system.passMs(1_000);
    expect((await all()).map(({ state }) => state)).toEqual(['dead', 'delivered']);
    expect(transport.sent).toHaveLength(2);
  });

  it('what is exported is imported elsewhere once, under the same keys', async () => {
    const { exportEntries, importEntries } = await import('./acts/transfer');
    const from = rig({ seed: 1 });
    await from.add('/a', { body: 'x'.repeat(10_000) });
    const file = JSON.parse(JSON.stringify(await exportEntries(from.context))) as never;
    const to = rig({ seed: 2 });
    expect(await importEntries(to.context, file)).toEqual({ added: 1, known: 0 });
    expect(await importEntries(to.context, file)).toEqual({ added: 0, known: 1 });
    await to.engine.drain.wake('start');
    expect(to.transport.sent[0]).toMatchObject({ url: 'https://app.example/a' });
    expect((to.transport.sent[0]?.body as { size?: number; byteLength?: number }).byteLength).toBe(10_000);
    expect((await to.all())[0]?.key).toBe((await from.all())[0]?.key);
  });

  it('pauses hold a route, a lane or everything, until they end or are ended', async () => {
    const { pause, resume } = await import('./acts/pause');
    const { add, engine, all, context, system } = rig({
      config: { routes: [{ name: 'docs', match: '/docs/:id', lane: 'doc-:id' }] },
    });
    await pause(context, { lane: 'doc-a' });
    await add('/docs/a');
    await add('/docs/b');
    void engine.drain.wake('start');
    await system.passMs(10_000);
    expect((await all()).map(({ state }) => state)).toEqual(['pending', 'delivered']);
    await pause(context, { until: system.now() + 60_000 });
    await resume(context, { lane: 'doc-a' });
    void engine.drain.wake('person');
    await system.passMs(30_000);
    expect((await all())[0]?.state).toBe('pending');
    await system.passMs(60_000);
    expect((await all())[0]?.state).toBe('delivered');
  });
});
