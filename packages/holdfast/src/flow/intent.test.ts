import { describe, expect, it } from 'vitest';
import type { OutboxConfig, Route } from '../core/options';
import { rig } from '../testing/rig';

const routed = (route: Partial<Route> = {}, more: Partial<OutboxConfig> = {}) =>
  rig({ config: { routes: [{ name: 'docs', match: '/docs/:id', lane: 'doc-:id', ...route }], ...more } });

describe('what becomes of a request', () => {
  it('is an entry with all that is known, and nothing that is not', async () => {
    const { add, system } = routed();
    const now = system.now();
    const { request, body, key, id, ...entry } = await add('/docs/7', { body: 'abc', headers: { 'x-own': 'mine' } });
    expect(entry).toEqual({
      v: 1,
      seq: 1,
      revision: 1,
      route: 'docs',
      lane: 'doc-7',
      subject: '',
      priority: 3,
      state: 'pending',
      head: true,
      dueAt: now,
      createdAt: now,
      expiresAt: entry.expiresAt,
      attempts: 0,
      spent: {},
      tries: 0,
      outcome: 'never-sent',
      history: [],
      replays: 0,
    });
    expect(request).toMatchObject({ method: 'POST', url: 'https://app.example/docs/7' });
    expect(request.headers).toContainEqual(['x-own', 'mine']);
    expect(body).toMatchObject({ size: 3, kind: 'inline' });
    expect(key).not.toBe(id);
  });

  it('takes from the call what the call says, and from the route what it does not', async () => {
    const route = { priority: 5, timeToLiveMs: 1_000, title: () => 'of the route', meta: () => ({ of: 'route' }) };
    const { add, system } = routed(route);
    const now = system.now();
    expect(await add('/docs/7')).toMatchObject({
      priority: 5,
      expiresAt: now + 1_000,
      title: 'of the route',
      meta: { of: 'route' },
    });
    const call = { priority: 0, expiresInMs: 0, title: 'own', meta: { of: 'call' }, lane: null, notBefore: now + 9 };
    const { priority, expiresAt, title, meta, lane, notBefore, dueAt } = await add('/docs/7', {}, call);
    expect([priority, expiresAt, title, meta, lane, notBefore, dueAt]).toEqual([
      0,
      now,
      'own',
      { of: 'call' },
      null,
      now + 9,
      now + 9,
    ]);
  });

  it('is due now when it was not to be sent before a time that is over', async () => {
    const { add, system } = routed();
    expect(await add('/docs/7', {}, { notBefore: 5 })).toMatchObject({ notBefore: 5, dueAt: system.now() });
  });

  it('never expires when it is worth something for ever', async () => {
    expect(await routed({ timeToLiveMs: Infinity }).add('/docs/7')).not.toHaveProperty('expiresAt');
  });

  it.each([
    ['a route that merges', true, {}, 'POST https://app.example/docs/7'],
    ['a route that does not', false, {}, undefined],
    ['a call that merges', false, { coalesce: true }, 'POST https://app.example/docs/7'],
    ['a call that does not', true, { coalesce: false }, undefined],
    ['a call with a scope of its own', true, { supersede: { key: 'x', mode: 'keep-latest' as const } }, 'x'],
  ])('has the scope in which writes are merged from %s', async (_, coalesce, call, scope) => {
    const { supersedes } = await routed({ coalesce }).add('/docs/7', {}, call);
    expect(supersedes).toBe(scope === undefined ? undefined : `\n${scope}`);
  });

  it('stores no header that is secret on its route, and says where another credential lies open', async () => {
    const { add } = routed({ secretHeaders: ['X-Own'] });
    const names = ({ request }: Awaited<ReturnType<typeof add>>) => request.headers.map(([name]) => name);
    const plain = await add('/docs/7', { headers: { 'x-own': '1', 'x-other': '2' } });
    expect(names(plain)).toEqual(['x-other']);
    expect(plain).not.toHaveProperty('holdsSecrets');
    expect(await add('/docs/7', { headers: { authorization: 'Bearer x' } })).toHaveProperty('holdsSecrets', true);
    const safe = routed({ secretHeaders: ['Authorization'] });
    const kept = await safe.add('/docs/7', { headers: { authorization: 'Bearer x', accept: '*/*' } });
    expect(names(kept)).toEqual(['accept']);
    expect(kept).not.toHaveProperty('holdsSecrets');
  });

  it.each([
    [true, { 'if-match': '"1"' }, true],
    [true, {}, false],
    [false, { 'if-match': '"1"' }, false],
  ])('is chained (route: %s, headers: %o): %s', async (chainEtags, headers, wanted) => {
    const entry = await routed({ chainEtags }).add('/docs/7', { headers });
    expect('chained' in entry).toBe(wanted);
  });

  it('depends on nothing when the list is empty', async () => {
    expect(await routed().add('/docs/7', {}, { dependsOn: [] })).not.toHaveProperty('dependsOn');
  });
});

describe('the key of a request', () => {
  it.each([
    ['nanoid', /^id-/],
    ['uuid', /^[0-9a-f-]{36}$|^uuid/],
    ['device-time-sequence', /^device-1000000-1$/],
  ] as const)('is made by the kind that is chosen: %s', async (kind, wanted) => {
    expect((await routed({}, { key: { kind } }).add('/docs/7')).key).toMatch(wanted);
  });

  it('is the one in its header, then the one of the call', async () => {
    const { add } = routed();
    expect(await add('/docs/7', { headers: { 'idempotency-key': '"header"' } }, { key: 'call' })).toMatchObject({
      key: 'header',
    });
    expect(await add('/docs/7', {}, { key: 'call' })).toMatchObject({ key: 'call' });
  });
});

describe('a request that is refused when it is made', () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  it.each([
    ['has a priority below 0', {}, { priority: -1 }, 'bad-option'],
    ['has a priority above 7', {}, { priority: 8 }, 'bad-option'],
    ['has a priority between two', {}, { priority: 1.5 }, 'bad-option'],
    ['has a key no header can carry', {}, { key: 'grün' }, 'bad-option'],
    ['has meta that is no plain data', {}, { meta: circle as never }, 'not-storable'],
    ['is over the limit', { body: 'x'.repeat(101) }, {}, 'not-storable'],
  ])('%s', async (_, init, call, code) => {
    const { add, all } = routed({}, { limits: { bodyBytes: 100 } });
    await expect(add('/docs/7', init, call)).rejects.toMatchObject({ code });
    expect(await all()).toEqual([]);
  });

  it('is none at the limit', async () => {
    const { add } = routed({}, { limits: { bodyBytes: 100 } });
    expect(await add('/docs/7', { body: 'x'.repeat(100) }, { priority: 7 })).toMatchObject({ priority: 7 });
  });
});
