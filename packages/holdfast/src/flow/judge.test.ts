import { describe, expect, it } from 'vitest';
import { openGates, type Gates } from '../core/control';
import type { Route } from '../core/options';
import type { FakeAnswer } from '../testing/fake-transport';
import { rig, type Rig } from '../testing/rig';

const page: FakeAnswer = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Sign in</h1>' };

async function sent(answer: FakeAnswer, route: Partial<Route> = {}, init: RequestInit = {}): Promise<Rig> {
  const made = rig({ config: { routes: [{ name: 'api', match: '/*', lane: null, ...route }] }, server: () => answer });
  await made.add('/orders', { body: 'x', ...init });
  await made.engine.drain.wake('start');
  return made;
}

async function gatesOf({ store }: Rig): Promise<Gates> {
  return (await store.transact('read', (rows) => rows.control('gates'))) ?? openGates;
}

describe('a route', () => {
  it('that expects JSON takes no page for an answer, whatever the request accepts', async () => {
    const { all } = await sent(page, { expects: 'json' });
    expect(await all()).toMatchObject([{ state: 'pending', attempts: 0, lastFailure: { class: 'captive' } }]);
  });

  it('that expects anything takes a page for an answer, though the request accepts only JSON', async () => {
    const { all } = await sent(page, { expects: 'any' }, { headers: { accept: 'application/json' } });
    expect(await all()).toMatchObject([{ state: 'delivered' }]);
  });

  it('says whether a redirected POST has arrived', async () => {
    const moved: FakeAnswer = { status: 200, redirected: true, url: 'https://app.example/orders/77' };
    expect(await (await sent(moved)).all()).toMatchObject([{ state: 'dead', lastFailure: { class: 'redirected' } }]);
    expect(await (await sent(moved, { redirects: 'accept' })).all()).toMatchObject([{ state: 'delivered' }]);
  });
});

describe('a 409 that broke off before it said why', () => {
  const headers = { 'content-type': 'application/problem+json' };
  it('is no conflict: the same key may be in progress, so it is asked again', async () => {
    const { all } = await sent({ status: 409, headers, brokenOff: true });
    expect(await all()).toMatchObject([{ state: 'pending', outcome: 'unknown' }]);
  });

  it('is one when it came whole, or was no problem document in the first place', async () => {
    const whole = await sent({ status: 409, headers, body: '{"type":"about:blank"}' });
    expect(await whole.all()).toMatchObject([{ state: 'dead', dead: { reason: 'conflict' } }]);
    const plain = await sent({ status: 409, brokenOff: true });
    expect(await plain.all()).toMatchObject([{ state: 'dead', dead: { reason: 'conflict' } }]);
  });
});

describe('a used-up quota', () => {
  it('pauses its origin, though the request was delivered', async () => {
    const made = await sent({ status: 201, headers: { ratelimit: '"permin";r=0;t=12' } });
    expect(await made.all()).toMatchObject([{ state: 'delivered' }]);
    const until = made.system.now() + 12_000;
    expect((await gatesOf(made)).origins['https://app.example']).toMatchObject({ phase: 'closed', pausedUntil: until });
  });
});

describe('a `classify` hook that throws', () => {
  const classify = () => {
    throw new Error('a bug of the app');
  };

  it('takes nothing from what the server asked for: `Retry-After` stands, and the origin is left alone', async () => {
    const made = await sent({ status: 503, headers: { 'retry-after': '90' } }, { classify });
    const [entry] = await made.all();
    expect(entry).toMatchObject({ state: 'pending', attempts: 1, outcome: 'unknown' });
    expect((entry?.dueAt ?? 0) - made.system.now()).toBeGreaterThanOrEqual(90_000);
    expect(Object.values((await gatesOf(made)).origins)).toMatchObject([{ phase: 'open' }]);
  });

  it('is held against its own entry, not against the origin', async () => {
    const made = await sent({ status: 201 }, { classify });
    expect(await made.all()).toMatchObject([{ state: 'pending', attempts: 1, lastFailure: { class: 'server' } }]);
    expect(Object.values((await gatesOf(made)).origins)).toMatchObject([{ phase: 'closed', failures: 0 }]);
  });
});
