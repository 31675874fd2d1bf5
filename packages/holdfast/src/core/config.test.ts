import { describe, expect, it } from 'vitest';
import { defaultBackoff } from './backoff';
import { defaultBudgets } from './budget';
import { defaultRoute, defaultSecretHeaders, laneOf, resolveConfig } from './config';
import { defineOutbox } from './define';
import { defaultKeep, defaultKey, defaultLimits, type OutboxConfig, type Route } from './options';
import type { RequestFacts } from './request-facts';

const own = 'https://app.example';
const badOption = expect.objectContaining({ code: 'bad-option' }) as Error;
const facts = (change: Partial<RequestFacts> = {}): Omit<RequestFacts, 'params'> => ({
  method: 'POST',
  url: `${own}/docs/7`,
  origin: own,
  path: '/docs/7',
  search: '',
  mode: 'cors',
  header: (name) => (name === 'x-kind' ? 'urgent' : null),
  ...change,
});
const one = (route: Partial<Route> = {}, config: Partial<OutboxConfig> = {}) =>
  resolveConfig({ routes: [{ name: 'docs', match: '/docs/:id', ...route }], ...config });

describe('a config', () => {
  it('is filled in with every default', () => {
    const resolved = one();
    expect(resolved).toMatchObject({
      name: 'outbox',
      key: defaultKey,
      limits: defaultLimits,
      keep: defaultKeep,
      concurrency: 3,
      durability: 'strict',
    });
    expect(resolved.routes[0]).toEqual({
      ...defaultRoute,
      name: 'docs',
      match: '/docs/:id',
      retry: { backoff: defaultBackoff, budgets: defaultBudgets },
    });
  });

  it('keeps what it says, the route before the whole', () => {
    const retry = { backoff: { ...defaultBackoff, baseMs: 500 }, budgets: { ...defaultBudgets, server: 2 } };
    const resolved = one(
      { priority: 0, timeoutMs: 1, methods: ['post'], retry: { budgets: { ...defaultBudgets, server: 3 } } },
      {
        name: 'a.b-c_1',
        concurrency: 1,
        durability: 'relaxed',
        retry,
        key: { header: 'X-Key' },
        limits: { entries: 5 },
        keep: { closedMs: 0 },
      },
    );
    expect(resolved).toMatchObject({ name: 'a.b-c_1', concurrency: 1, durability: 'relaxed' });
    expect(resolved.key).toEqual({ ...defaultKey, header: 'X-Key' });
    expect(resolved.limits).toEqual({ ...defaultLimits, entries: 5 });
    expect(resolved.keep).toEqual({ ...defaultKeep, closedMs: 0 });
    expect(resolved.routes[0]).toMatchObject({
      priority: 0,
      timeoutMs: 1,
      methods: ['POST'],
      retry: { backoff: { baseMs: 500 }, budgets: { server: 3 } },
    });
  });

  it('stores no secrets where fresh ones can be had', () => {
    const beforeSend = () => ({});
    expect(one().routes[0]?.secretHeaders).toEqual([]);
    expect(one({ beforeSend }).routes[0]?.secretHeaders).toEqual(defaultSecretHeaders);
    expect(one({}, { beforeSend }).routes[0]?.secretHeaders).toEqual(defaultSecretHeaders);
    expect(one({ beforeSend, secretHeaders: ['x'] }).routes[0]?.secretHeaders).toEqual(['x']);
  });

  it.each<[string, () => unknown, RegExp]>([
    ['an empty name', () => one({}, { name: '' }), /name must be 1 to 64 letters.*got $/],
    ['a name with a slash', () => one({}, { name: 'a/b' }), /name.*got a\/b/],
    ['a name of 65 letters', () => one({}, { name: 'x'.repeat(65) }), /name/],
    ['no slot', () => one({}, { concurrency: 0 }), /concurrency must be a whole number from 1, got 0/],
    ['half a slot', () => one({}, { concurrency: 1.5 }), /concurrency/],
    ['no routes', () => resolveConfig({ routes: undefined as never }), /routes must be an array/],
    [
      'two routes of one name',
      () =>
        resolveConfig({
          routes: [
            { name: 'a', match: '/a' },
            { name: 'a', match: '/b' },
          ],
        }),
      /a different name for each/,
    ],
    ['a route without a name', () => one({ name: undefined as never }), /route\.name must be a one-line string/],
    ['a name of two lines', () => one({ name: 'a\nb' }), /route\.name/],
    ['a name with a return', () => one({ name: 'a\rb' }), /route\.name/],
    ['priority 8', () => one({ priority: 8 }), /priority must be a whole number from 0 to 7, got 8/],
    ['priority -1', () => one({ priority: -1 }), /priority/],
    ['priority 1.5', () => one({ priority: 1.5 }), /priority/],
    ['no time', () => one({ timeoutMs: 0 }), /timeoutMs must be more than 0 milliseconds, got 0/],
    ['a time that is none', () => one({ timeoutMs: NaN }), /timeoutMs/],
    ['no pattern', () => one({ match: 7 as never }), /match must be a pattern, a RegExp or a function, got 7/],
    ['a bad pattern', () => one({ match: 'docs' }), /must begin with/],
    ['a bad backoff', () => one({ retry: { backoff: { ...defaultBackoff, baseMs: 0 } } }), /backoff\.baseMs/],
    ['a bad budget', () => one({}, { retry: { budgets: { ...defaultBudgets, server: -1 } } }), /budgets\.server/],
    ['a bad verdict', () => one({ verdicts: { 4: 'server' } }), /verdicts has no "4"/],
    ['a bad window', () => one({ maintenance: [{ from: 5, to: 5 }] }), /maintenance/],
  ])('with %s is refused in words', (_what, resolve, message) => {
    expect(resolve).toThrow(badOption);
    expect(resolve).toThrow(message);
  });

  it('may have the longest name, the least and the most urgent routes', () => {
    expect(one({}, { name: 'x'.repeat(64) }).name).toHaveLength(64);
    expect(one({ priority: 7 }).routes[0]?.priority).toBe(7);
  });

  it('is checked where it is defined, and given back as it is', () => {
    const config = { routes: [{ name: 'docs', match: '/docs' }] };
    expect(defineOutbox(config)).toBe(config);
    expect(() => defineOutbox({ routes: [{ name: 'docs', match: 'docs' }] })).toThrow(badOption);
  });
});

describe('the route of a request', () => {
  it('is the first that takes its method and matches', () => {
    const resolved = resolveConfig({
      routes: [
        { name: 'puts', match: '/docs/:id', methods: ['PUT'] },
        { name: 'first', match: '/docs/:id' },
        { name: 'second', match: '/docs/*' },
      ],
    });
    expect(resolved.route(facts(), own)?.route.name).toBe('first');
    expect(resolved.route(facts(), own)?.facts).toMatchObject({ method: 'POST', params: { id: '7' } });
    expect(resolved.route(facts(), own)?.facts.header('x-kind')).toBe('urgent');
    expect(resolved.route(facts({ method: 'PUT' }), own)?.route.name).toBe('puts');
    expect(resolved.route(facts({ url: `${own}/docs/7/8` }), own)?.route.name).toBe('second');
    expect(resolved.route(facts({ method: 'GET' }), own)).toBeUndefined();
    expect(resolved.route(facts({ url: `${own}/else` }), own)).toBeUndefined();
    expect(resolved.route(facts(), 'https://other.example')).toBeUndefined();
  });

  it('can be found by a RegExp, each time anew', () => {
    const resolved = one({ match: /DOCS/giy });
    for (let time = 0; time < 3; time += 1) expect(resolved.route(facts(), own)?.route.name).toBe('docs');
    expect(one({ match: /DOCS/ }).route(facts(), own)).toBeUndefined();
  });

  it('can be found by a function that sees the request', () => {
    const resolved = one({
      match: (request) => request.header('x-kind') === 'urgent' && Object.keys(request.params).length === 0,
    });
    expect(resolved.route(facts(), own)?.facts.params).toEqual({});
    expect(resolved.route(facts({ header: () => null }), own)).toBeUndefined();
  });

  it('is found by name, and one that is gone keeps the defaults', () => {
    const resolved = one({ priority: 1 }, { retry: { budgets: { ...defaultBudgets, server: 2 } } });
    expect(resolved.routeNamed('docs').priority).toBe(1);
    expect(resolved.routeNamed('gone')).toMatchObject({ name: 'gone', priority: 3, retry: { budgets: { server: 2 } } });
  });
});

describe('the lane of a request', () => {
  const lane = (wanted: Route['lane'], params: Record<string, string> = { id: '7' }): string | null => {
    const [route] = one(wanted === undefined ? {} : { lane: wanted }).routes;
    if (!route) throw new Error('no route');
    return laneOf(route, { ...facts(), params });
  };

  it('is the route’s name, a text, a template, what a function says, or none', () => {
    expect(lane(undefined)).toBe('docs');
    expect(lane('all')).toBe('all');
    expect(lane('doc-:id/:other')).toBe('doc-7/:other');
    expect(lane((request) => `by-${request.method}`)).toBe('by-POST');
    expect(lane(null)).toBeNull();
  });
});
