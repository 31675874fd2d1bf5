import { describe, expect, it } from 'vitest';
import { HoldfastServerError } from './errors';
import { idempotent } from './idempotent';
import type { Handler, IdempotencyOptions, IdempotentHandler } from './idempotent';
import { memoryStore } from './stores/memory';
import { handSystem } from './testing/hand-system';
import { gate, problem, request, rig } from './testing/rig';

/** Two servers on one store and one clock; the first's handler never comes back, as if its process had died. */
function twoServers(options: Partial<IdempotencyOptions>, second: Handler = () => new Response('second')) {
  const system = handSystem();
  const store = memoryStore({ clock: system.now });
  const dead = { ...system, after: () => () => undefined }; // its timers never fire: no heartbeat
  const common = { store, principal: () => 'ann' };
  const died = idempotent(() => new Promise<Response>(() => undefined), {
    ...common,
    system: { ...dead, uniqueId: () => 'died' },
  });
  const alive: IdempotentHandler = idempotent(second, { ...common, system, ...options });
  return { died, alive, system, store };
}

describe('a claim whose process died', () => {
  it('is in progress until its lease is over', async () => {
    const { died, alive, system } = twoServers({ onUnknown: 'rerun' });
    void died(request());
    await system.pass(0);
    await system.pass(29_999);
    expect(await problem(await alive(request()))).toEqual({ status: 409, code: 'in-progress' });
    await system.pass(1);
    expect(await (await alive(request())).text()).toBe('second');
  });

  it('is refused as unknown by default, again and again, and another payload still gets 422', async () => {
    const { died, alive, system } = twoServers({});
    void died(request());
    await system.pass(0);
    await system.pass(30_000);
    expect(await problem(await alive(request()))).toEqual({ status: 409, code: 'outcome-unknown' });
    expect(await problem(await alive(request()))).toEqual({ status: 409, code: 'outcome-unknown' });
    expect(await problem(await alive(request({ body: '{}' })))).toEqual({ status: 422, code: 'key-reused' });
  });

  it('is run again once where that does no harm, and the handler knows that it is not the first', async () => {
    const runs: (number | undefined)[] = [];
    const { died, alive, system } = twoServers({ onUnknown: 'rerun' }, (_, context) => {
      runs.push(context?.runs);
      return new Response('second');
    });
    void died(request());
    await system.pass(0);
    await system.pass(30_000);
    const answers = await Promise.all([alive(request()), alive(request()), alive(request())]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await alive(request())).headers.get('idempotency-replayed')).toBe('true');
    expect(runs).toEqual([2]);
  });

  it('is settled by what the app finds out', async () => {
    const asked: string[] = [];
    const probe = (_: Request, { key }: { key: string }) => {
      asked.push(key);
      return Response.json({ id: 77 }, { status: 201, headers: { location: '/orders/77', 'set-cookie': 'a=b' } });
    };
    const { died, alive, system } = twoServers({ onUnknown: probe });
    void died(request());
    await system.pass(0);
    await system.pass(30_000);
    const found = await alive(request());
    expect([found.status, await found.json(), found.headers.get('location')]).toEqual([201, { id: 77 }, '/orders/77']);
    expect(found.headers.getSetCookie()).toEqual([]);
    expect((await alive(request())).status).toBe(201);
    expect(asked).toEqual(['k1']);
  });

  it('is refused or run again as the app rules each time', async () => {
    const rulings = ['refuse', 'rerun'] as const;
    let n = 0;
    const { died, alive, system } = twoServers({ onUnknown: () => rulings[n++] ?? 'refuse' });
    void died(request());
    await system.pass(0);
    await system.pass(30_000);
    expect((await alive(request())).status).toBe(409);
    expect(await (await alive(request())).text()).toBe('second');
  });
});

describe('a slow handler', () => {
  it('keeps its claim as long as it runs', async () => {
    const { promise, open } = gate<Response>();
    const { send, system, runs } = rig(() => promise, { onUnknown: 'rerun' });
    const first = send();
    await system.pass(0);
    await system.pass(600_000);
    expect(await problem(await send())).toEqual({ status: 409, code: 'in-progress' });
    open(new Response('at last'));
    expect(await (await first).text()).toBe('at last');
    expect(await (await send()).text()).toBe('at last');
    expect(runs()).toBe(1);
  });

  it('that never ends does not hold its key for ever', async () => {
    const { send, system } = rig(() => new Promise<Response>(() => undefined), { maxRunMs: 100_000 });
    void send();
    await system.pass(0);
    await system.pass(140_000);
    expect(await problem(await send())).toEqual({ status: 409, code: 'outcome-unknown' });
    await system.pass(10_000);
    expect(system.timers()).toBe(0);
  });

  it('leaves no timer behind when it is done', async () => {
    const { promise, open } = gate<Response>();
    const { send, system } = rig(() => promise);
    const first = send();
    await system.pass(0);
    await system.pass(25_000);
    expect(system.timers()).toBe(1);
    open(new Response('done'));
    await first;
    await system.pass(20_000);
    expect(system.timers()).toBe(0);
  });

  it('that lost its claim cannot overwrite the answer of the one who took over, and its caller is sent back', async () => {
    const { promise, open } = gate<Response>();
    const system = handSystem();
    const store = memoryStore({ clock: system.now });
    const common = { store, principal: () => 'ann', onUnknown: 'rerun' } as const;
    const frozen = { ...system, after: () => () => undefined, uniqueId: () => 'frozen' };
    let signal: AbortSignal | undefined;
    const slow = idempotent(
      (_, context) => {
        signal = context?.signal;
        return promise;
      },
      { ...common, system: frozen },
    );
    const other = idempotent(() => new Response('the other'), { ...common, system });
    const late = slow(request());
    await system.pass(0);
    await system.pass(30_000);
    expect(await (await other(request())).text()).toBe('the other');
    open(new Response('too late'));
    expect(await problem(await late)).toEqual({ status: 409, code: 'in-progress' });
    expect(signal?.aborted).toBe(true);
    expect(signal?.reason).toMatchObject({ code: 'lease-lost' });
    expect(await (await slow(request())).text()).toBe('the other');
  });

  it('hears at its next heartbeat that its claim is lost', async () => {
    const { promise } = gate<Response>();
    const system = handSystem();
    const store = memoryStore({ clock: system.now });
    let aborted = false;
    const slow = idempotent(
      (_, context) => {
        context?.signal.addEventListener('abort', () => (aborted = true));
        return promise;
      },
      { store, principal: () => 'ann', system },
    );
    void slow(request());
    await system.pass(0);
    const seen = await store.stats();
    expect(seen.running).toBe(1);
    await store.close(); // as if another had taken it, finished and been swept
    await system.pass(20_000);
    expect(aborted).toBe(true);
  });

  it('that stops because it lost its claim has its caller sent back, not an error', async () => {
    const { send } = rig(() => {
      throw new HoldfastServerError('lease-lost', 'stopped');
    });
    expect(await problem(await send())).toEqual({ status: 409, code: 'in-progress' });
  });
});

describe('a key whose answer is no longer kept', () => {
  it('is refused as expired, and in the end is free', async () => {
    const { send, system, runs } = rig(undefined, { retentionMs: 10_000, tombstoneMs: 20_000 });
    await send();
    await system.pass(9_999);
    expect((await send()).headers.get('idempotency-replayed')).toBe('true');
    await system.pass(1);
    expect(await problem(await send())).toEqual({ status: 409, code: 'key-expired' });
    expect(await problem(await send({ body: 'other' }))).toEqual({ status: 409, code: 'key-expired' });
    await system.pass(20_000);
    expect((await send()).status).toBe(201);
    expect(runs()).toBe(2);
  });
});

describe('sweeping', () => {
  it('comes with the requests, now and then, and never as a request of its own', async () => {
    const options = { retentionMs: 1_000, tombstoneMs: 1_000, sweepEveryMs: 60_000, sweepLimit: 2 };
    const { api, send, system, names } = rig(undefined, options);
    for (let n = 0; n < 5; n += 1) await send({ key: `k${n}` });
    expect(names()).not.toContain('sweep');
    await system.pass(60_000);
    await send({ key: 'late' });
    await system.pass(0);
    expect(names().filter((name) => name === 'sweep')).toHaveLength(1);
    expect(await api.sweep(100)).toBe(3);
    expect(await api.stats()).toMatchObject({ done: 1, events: { run: 6, keep: 6, sweep: 2 } });
  });
});
