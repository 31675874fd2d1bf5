import { describe, expect, it } from 'vitest';
import type { OutboxConfig } from '../core/options';
import { headerOf } from '../core/header-pairs';
import type { Outgoing } from '../ports';
import { rig } from '../testing/rig';
import { signedIn } from './acts/sign-in';

/** A small body's bytes, one letter for each. */
function lettersOf({ body }: Pick<Outgoing, 'body'>): string {
  return body instanceof Uint8Array ? String.fromCharCode(...body) : '';
}

/** A server that takes one token and no other, wherever the request carries it. */
function guarded(tokenOf: (request: Outgoing) => string | null) {
  const server = { token: 'of-today', refused: 0 };
  return {
    server,
    answer: (request: Outgoing) => {
      if (tokenOf(request) === server.token) return { status: 201 };
      server.refused += 1;
      return { status: 419 };
    },
  };
}

const route = { name: 'api', match: '/*', lane: null, authStatuses: [419] };

describe('a token against forgery that is hours old', () => {
  it('in a header is not stored, and goes out fresh', async () => {
    const { server, answer } = guarded(({ headers }) => headerOf(headers, 'x-csrf-token'));
    const config: OutboxConfig = { routes: [route], beforeSend: () => ({ 'X-CSRF-Token': server.token }) };
    const { add, engine, system, all } = rig({ config, server: answer });
    await add('/a', { headers: { 'x-csrf-token': 'of-yesterday' } });
    expect(JSON.stringify(await all())).not.toContain('of-yesterday');
    void engine.drain.wake('start');
    await system.passMs(60_000);
    expect(await all()).toMatchObject([{ state: 'delivered' }]);
    expect(server.refused).toBe(0);
  });

  it('in a cookie is the browser’s to send: credentials go as the request had them, on every attempt', async () => {
    const { fetch, engine, transport, system } = rig({ server: [{ status: 503 }] });
    for (const credentials of ['include', 'same-origin', 'omit'] as const) await fetch('/a', { credentials });
    void engine.drain.wake('start');
    await system.passMs(600_000);
    const modes = new Map<string | null, Set<string>>();
    for (const { headers, credentials } of transport.sent) {
      const key = headerOf(headers, 'idempotency-key');
      modes.set(key, (modes.get(key) ?? new Set()).add(credentials));
    }
    expect([...modes.values()].map((seen) => [...seen])).toEqual([['include'], ['same-origin'], ['omit']]);
  });

  const upload = new FormData();
  upload.set('_csrf', 'of-yesterday');
  upload.set('note', '_csrf=of-yesterday');
  upload.set('photo', new Blob([new Uint8Array([0, 255, 13, 10, 45, 45, 7])]), '_csrf.bin');
  it.each([
    ['JSON', '{"_csrf": "of-yesterday", "note": "_csrf of-yesterday", "n": 12345678901234567890}', 'application/json'],
    ['a form', 'x=1+2&_csrf=of-yesterday&note=of-yesterday', 'application/x-www-form-urlencoded'],
    ['an upload', upload, undefined],
  ])('in a field of %s goes out fresh under the same key, and the rest is the same bytes', async (_, body, type) => {
    let token = 'of-today';
    let up = false;
    const { add, engine, transport, system, all } = rig({
      config: { routes: [route], freshFields: () => ({ _csrf: token, absent: 'never added' }) },
      server: (request) => ({ status: !up ? 503 : lettersOf(request).includes(token) ? 201 : 419 }),
    });
    await add('/a', { body, ...(type !== undefined && { headers: { 'content-type': type } }) });
    const [stored] = await all();
    void engine.drain.wake('start');
    await system.passMs(2_000);
    token = 'of-this-hour';
    up = true;
    await system.passMs(600_000);
    expect(await all()).toMatchObject([{ state: 'delivered' }]);

    const [first = '', ...later] = transport.sent.map(lettersOf);
    const before = lettersOf({ body: stored?.body.bytes ?? null });
    expect(later.length).toBeGreaterThan(0);
    expect([first, later.at(-1)]).toEqual([freshened(before, 'of-today'), freshened(before, 'of-this-hour')]);
    expect(new Set(transport.sent.map(({ headers }) => headerOf(headers, 'idempotency-key'))).size).toBe(1);
  });

  /** The first of its kind is the field's own value, and is replaced by hand. */
  const freshened = (text: string, token: string): string => text.replace('of-yesterday', token);

  it('that a hook cannot supply hurts its own request only', async () => {
    const { add, engine, system, all } = rig({
      config: {
        routes: [
          { name: 'forms', match: '/forms', lane: null, freshFields: () => Promise.reject(new Error('no session')) },
          { name: 'api', match: '/*', lane: null },
        ],
      },
    });
    await add('/forms', { body: 'a=1' });
    await add('/a');
    void engine.drain.wake('start');
    await system.passMs(1_000);
    expect((await all()).map(({ state }) => state)).toEqual(['pending', 'delivered']);
  });
});

describe('credentials that are refused', () => {
  it.each([401, 403, 419, 440])(
    'with %d by option wait for sign-in, cost nothing, and go on after it',
    async (status) => {
      let good = false;
      const config: OutboxConfig = {
        routes: [{ name: 'api', match: '/*', lane: null, authStatuses: [403, 419, 440] }],
        refresh: () => false,
      };
      const { add, engine, system, all, transport, context } = rig({
        config,
        server: () => ({ status: good ? 201 : status }),
      });
      await add('/a');
      await add('/b');
      void engine.drain.wake('start');
      await system.passMs(3 * 3_600_000);
      expect(await all()).toMatchObject([
        { state: 'pending', attempts: 0 },
        { state: 'pending', attempts: 0 },
      ]);
      const before = transport.sent.length;
      expect(before).toBeLessThanOrEqual(2);

      good = true;
      await signedIn(context);
      void engine.drain.wake('person');
      await system.passMs(60_000);
      expect((await all()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
      const keys = transport.sent.map(({ headers }) => headerOf(headers, 'idempotency-key'));
      expect(new Set(keys).size).toBe(2);
    },
  );

  it.each([403, 419, 440])('with %d without the option are a refusal like any other', async (status) => {
    const { add, engine, system, all } = rig({
      config: { routes: [{ name: 'api', match: '/*', lane: null }], refresh: () => true },
      server: [{ status }],
    });
    await add('/a');
    void engine.drain.wake('start');
    await system.passMs(60_000);
    expect(await all()).toMatchObject([{ state: 'dead', dead: { reason: 'rejected' } }]);
  });
});

describe('a token that has expired when a request is sent again', () => {
  /** Sends with whatever token is in hand; the server takes the current one. */
  function expiring(refresh: (hand: { token: string }) => boolean) {
    const hand = { token: 'old', asked: 0 };
    const current = { token: 'new' };
    const made = rig({
      config: {
        routes: [{ name: 'api', match: '/*', lane: null }],
        beforeSend: () => ({ authorization: hand.token }),
        refresh: () => {
          hand.asked += 1;
          return refresh(hand);
        },
      },
      server: ({ headers }) => ({ status: headerOf(headers, 'authorization') === current.token ? 201 : 401 }),
    });
    return { ...made, hand };
  }

  it('is renewed, and the request is delivered in the same go', async () => {
    const { add, engine, system, all, hand, transport } = expiring((mine) => {
      mine.token = 'new';
      return true;
    });
    await add('/a');
    void engine.drain.wake('start');
    await system.passMs(1_000);
    expect(await all()).toMatchObject([{ state: 'delivered', attempts: 0 }]);
    expect([hand.asked, transport.sent.length]).toEqual([1, 2]);
  });

  it('and cannot be renewed leaves the request waiting, however often somebody looks, and asks once', async () => {
    const { add, engine, system, all, hand, transport } = expiring(() => false);
    await add('/a');
    for (let look = 0; look < 5; look += 1) {
      void engine.drain.wake('visible');
      await system.passMs(600_000);
    }
    expect(await all()).toMatchObject([{ state: 'pending', attempts: 0 }]);
    expect([hand.asked, transport.sent.length]).toEqual([1, 1]);
  });

  it('and is renewed by a sign-in an hour later, after which all goes out under the same keys', async () => {
    const { add, engine, system, all, hand, transport, context } = expiring(() => false);
    const made = [await add('/a'), await add('/b'), await add('/c')];
    void engine.drain.wake('start');
    await system.passMs(3_600_000);
    hand.token = 'new';
    await signedIn(context);
    void engine.drain.wake('person');
    await system.passMs(60_000);
    expect((await all()).map(({ state, attempts }) => [state, attempts])).toEqual(made.map(() => ['delivered', 0]));
    const fresh = transport.sent.filter(({ headers }) => headerOf(headers, 'authorization') === 'new');
    expect(fresh.map(({ headers }) => headerOf(headers, 'idempotency-key'))).toEqual(made.map(({ key }) => `"${key}"`));
  });

  it('is renewed once for all tabs, whose drains wake together', async () => {
    const { add, engine, tab, system, all, hand } = expiring((mine) => {
      mine.token = 'new';
      return true;
    });
    for (const path of ['/a', '/b', '/c', '/d']) await add(path);
    const others = [tab(), tab()];
    for (const drain of [engine.drain, ...others.map((other) => other.engine.drain)]) void drain.wake('online');
    await system.passMs(60_000);
    expect((await all()).map(({ state }) => state)).toEqual(Array.from({ length: 4 }, () => 'delivered'));
    expect(hand.asked).toBe(1);
  });
});
