import { describe, expect, it } from 'vitest';
import { createBreaker } from './breaker';
import type { Store } from './store';
import { memoryStore } from './stores/memory';
import { handSystem } from './testing/hand-system';
import { gate, problem, request, rig } from './testing/rig';
import { idempotent } from './idempotent';

/** A memory store whose calls fail, hang or lose their answers, as told. */
function shakyStore(clock: () => number) {
  const inner = memoryStore({ clock });
  const calls: string[] = [];
  const state: { mode: 'up' | 'down' | 'hang' | 'deaf' } = { mode: 'up' };
  const store = Object.fromEntries(
    Object.entries(inner).map(([name, method]) => [
      name,
      async (...args: unknown[]) => {
        calls.push(name);
        if (state.mode === 'down') throw new Error('connection refused');
        if (state.mode === 'hang') return new Promise(() => undefined);
        const result: unknown = await (method as (...all: unknown[]) => Promise<unknown>)(...args);
        if (state.mode === 'deaf') throw new Error('connection lost after the write');
        return result;
      },
    ]),
  ) as unknown as Store;
  return { store, state, calls, inner };
}

function shakyRig(options: Parameters<typeof rig>[1] = {}, handler?: Parameters<typeof rig>[0]) {
  const system = handSystem();
  const shaky = shakyStore(system.now);
  return { ...rig(handler, { store: shaky.store, system, ...options }), ...shaky, system };
}

describe('while the store is down', () => {
  it('a keyed request gets 503 with Retry-After, and the handler does not run', async () => {
    const { send, state, runs } = shakyRig();
    state.mode = 'down';
    const response = await send();
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await problem(response)).toEqual({ status: 503, code: 'store-unavailable' });
    expect(runs()).toBe(0);
    state.mode = 'up';
    expect((await send()).status).toBe(201);
  });

  it('a request without a key, and a method that is not guarded, do not notice', async () => {
    const { send, state } = shakyRig();
    state.mode = 'down';
    expect((await send({ key: null })).status).toBe(201);
    expect((await send({ method: 'GET' })).status).toBe(201);
  });

  it('the handler runs and the answer says so, where the option is to proceed', async () => {
    const { send, state, runs, names } = shakyRig({ onStoreError: 'proceed' });
    state.mode = 'down';
    const response = await send();
    expect([response.status, response.headers.get('idempotency-note')]).toEqual([201, 'not-deduplicated']);
    expect(await response.json()).toEqual({ run: 1 });
    await send();
    expect(runs()).toBe(2);
    expect(names()).toContain('unprotected');
  });

  it('each route decides for itself by a function', async () => {
    const { send, state } = shakyRig({
      onStoreError: (sent) => (sent.url.endsWith('/log') ? 'proceed' : 'reject-503'),
    });
    state.mode = 'down';
    expect((await send({ path: '/log' })).status).toBe(201);
    expect((await send({ path: '/orders' })).status).toBe(503);
  });

  it('a store that hangs is down after its time', async () => {
    const { send, state, system } = shakyRig({ storeTimeoutMs: 2_000 });
    state.mode = 'hang';
    const pending = send();
    await system.pass(0);
    await system.pass(2_000);
    expect((await pending).status).toBe(503);
  });

  it('it is left alone after some failures, asked by one request now and then, and used again when it answers', async () => {
    const { send, state, system, calls, names } = shakyRig();
    state.mode = 'down';
    for (let n = 0; n < 20; n += 1) expect((await send({ key: `k${n}` })).status).toBe(503);
    expect(calls.filter((name) => name === 'claim')).toHaveLength(5);
    expect(names()).toContain('store-down');
    state.mode = 'up';
    expect((await send()).status).toBe(503);
    await system.pass(1_000);
    expect((await send()).status).toBe(201);
    expect(names()).toContain('store-back');
    expect((await send({ key: 'another' })).status).toBe(201);
  });
});

describe('a store that fails in the middle', () => {
  it('of a claim it had written leaves no orphan behind: the claim is taken back', async () => {
    const { send, state, system, runs } = shakyRig();
    state.mode = 'deaf';
    expect((await send()).status).toBe(503);
    state.mode = 'up';
    await system.pass(1_000);
    expect((await send()).status).toBe(201);
    expect(runs()).toBe(1);
  });

  it('when an answer is to be kept gets it later; the caller has it at once', async () => {
    const { promise, open } = gate<Response>();
    const { send, state, system, runs, inner } = shakyRig({}, () => promise);
    const first = send();
    await system.pass(0);
    state.mode = 'down';
    open(new Response('done', { status: 201 }));
    expect((await first).status).toBe(201);
    state.mode = 'up';
    await system.pass(60_000); // longer than the lease: nobody else may have it meanwhile
    expect(await inner.stats()).toMatchObject({ done: 1 });
    expect((await send()).headers.get('idempotency-replayed')).toBe('true');
    expect(runs()).toBe(1);
  });

  it('when a key is to be freed frees it later', async () => {
    const { promise, fail } = gate<Response>();
    const { send, state, system, inner } = shakyRig({}, () => promise);
    const first = send();
    await system.pass(0);
    state.mode = 'down';
    fail(new Error('no luck'));
    await expect(first).rejects.toThrow('no luck');
    state.mode = 'up';
    await system.pass(2_000);
    expect(await inner.stats()).toEqual({ running: 0, unknown: 0, done: 0, gone: 0 });
  });

  it('while a handler runs costs it nothing if it is back before the lease is over', async () => {
    const { promise, open } = gate<Response>();
    const { send, state, system } = shakyRig({}, () => promise);
    const first = send();
    await system.pass(15_000);
    state.mode = 'down';
    await system.pass(10_000);
    state.mode = 'up';
    await system.pass(60_000);
    expect((await send()).status).toBe(409);
    open(new Response('done'));
    await first;
    expect((await send()).headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('any store whose every call rejects', () => {
  it('whatever it is made of costs a 503 and no run', async () => {
    const rejecting = new Proxy({} as Store, { get: () => () => Promise.reject(new Error('down')) });
    const throwing = new Proxy({} as Store, {
      get: () => () => {
        throw new Error('down');
      },
    });
    for (const store of [rejecting, throwing]) {
      let runs = 0;
      const api = idempotent(() => new Response(String((runs += 1))), { store });
      const response = await api(request());
      expect([response.status, response.headers.has('retry-after'), runs]).toEqual([503, true, 0]);
    }
  });

  it('an event sink that throws costs nothing', async () => {
    const { send } = rig(undefined, {
      on: () => {
        throw new Error('log full');
      },
    });
    expect((await send()).status).toBe(201);
  });
});

describe('createBreaker', () => {
  it('opens after failures in a row, doubles its pause with every failed probe, and closes with a success', () => {
    const breaker = createBreaker(2, 1_000, 3_000);
    expect(breaker.failed(0)).toBe(false);
    expect(breaker.succeeded()).toBe(false);
    expect(breaker.failed(0)).toBe(false);
    expect(breaker.failed(0)).toBe(true);
    expect([breaker.allows(999), breaker.waitMs(400)]).toEqual([false, 600]);
    expect([breaker.allows(1_000), breaker.allows(1_000)]).toEqual([true, false]); // one probe at a time
    breaker.failed(1_000);
    expect(breaker.waitMs(1_000)).toBe(2_000);
    expect(breaker.allows(3_000)).toBe(true);
    breaker.failed(3_000);
    expect(breaker.waitMs(3_000)).toBe(3_000);
    expect(breaker.allows(6_000)).toBe(true);
    expect(breaker.succeeded()).toBe(true);
    expect([breaker.allows(6_000), breaker.allows(6_000), breaker.waitMs(6_000)]).toEqual([true, true, 0]);
  });
});
