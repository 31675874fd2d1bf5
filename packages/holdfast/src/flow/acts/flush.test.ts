import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../core/options';
import { rig, type RigOptions } from '../../testing/rig';
import { cancel } from './cancel';
import { bringForward, type FlushOptions } from './flush';
import { pause } from './pause';

const hour = 3_600_000;

/** What waits for an hour's backoff after a failure, and what it does after an act. */
async function backedOff(options: RigOptions = {}) {
  const made = rig({
    server: [{ status: 500 }],
    config: {
      routes: [{ name: 'api', match: '/*', lane: ':lane' }],
      retry: { backoff: { baseMs: hour, capMs: hour, factor: 1, jitter: 'none' } },
      metered: { fromBytes: 1_000 },
    },
    ...options,
  });
  const add = (call: CallOptions = {}, init: RequestInit = {}) => made.add('/a', init, { lane: null, ...call });
  return {
    ...made,
    add,
    async fail(call: CallOptions = {}, init: RequestInit = {}) {
      const { id } = await add(call, init);
      void made.engine.drain.wake('start');
      await made.system.passMs(5_000);
      return id;
    },
    due: async () => (await made.all()).map(({ dueAt }) => dueAt <= made.system.now()),
  };
}

describe('"send now"', () => {
  it.each<[string, FlushOptions | undefined, boolean]>([
    ['alone changes no time', undefined, false],
    ['that ignores backoff', { ignoreBackoff: true }, true],
    ['that is forced', { force: true }, true],
  ])('%s', async (_, options, wanted) => {
    const { fail, due, context, all } = await backedOff();
    await fail();
    expect(await due()).toEqual([false]);
    const [before] = await all();
    await bringForward(context, options ?? {});
    expect(await due()).toEqual([wanted]);
    const [after] = await all();
    expect(after).toEqual(wanted ? { ...before, dueAt: before?.lastFailure?.at, revision: after?.revision } : before);
  });

  it('leaves alone what is due anyhow, what is dead and what is on its way', async () => {
    const { add, fail, context, all, transport } = await backedOff();
    await cancel(context, await fail(), { evenIfUnknown: true });
    transport.answer(() => ({ status: 201, afterMs: 10 * hour }));
    await fail();
    await pause(context);
    await add();
    const before = await all();
    expect(before.map(({ state }) => state)).toEqual(['dead', 'sending', 'pending']);
    await bringForward(context, { force: true });
    expect(await all()).toEqual(before);
  });

  it('sends nothing before its own time, forced or not', async () => {
    const { add, context, all, system } = await backedOff();
    await add({ notBefore: system.now() + hour });
    const before = await all();
    for (const options of [{ ignoreBackoff: true }, { force: true }]) await bringForward(context, options);
    expect(await all()).toEqual(before);
    await system.passMs(hour);
    await bringForward(context, { ignoreBackoff: true });
    expect(await all()).toEqual(before);
  });

  it('sends nothing of a lane that is paused', async () => {
    const { add, context, all, engine } = await backedOff();
    await pause(context, { lane: 'one' });
    await add({ lane: 'one' });
    await engine.drain.wake('start');
    const before = await all();
    expect(before[0]).toHaveProperty('parkedUntil');
    await bringForward(context, { force: true });
    expect(await all()).toEqual(before);
  });

  it('takes it that large ones cost what they cost, also when they are due', async () => {
    const { add, fail, context, all } = await backedOff();
    await fail({}, { body: 'x'.repeat(1_000) });
    await pause(context);
    await add({}, { body: 'x'.repeat(1_000) });
    await bringForward(context, { ignoreBackoff: true });
    for (const entry of await all()) expect(entry).not.toHaveProperty('bulky');
  });

  it('is for those of whoever says it', async () => {
    let who = 'ann';
    const { fail, due, context } = await backedOff({ subject: () => who });
    await fail();
    who = 'bob';
    await bringForward(context, { force: true });
    expect(await due()).toEqual([false]);
  });
});

describe('"send now" while a server asked for time', () => {
  const busy = { server: [{ status: 503, headers: { 'retry-after': '600' } }] };
  it.each<[string, FlushOptions, boolean]>([
    ['waits all the same', { ignoreBackoff: true }, false],
    ['goes when it is forced, and probes that origin anew', { force: true }, true],
  ])('%s', async (_, options, wanted) => {
    const { fail, due, context, store } = await backedOff(busy);
    await fail();
    await bringForward(context, options);
    expect(await due()).toEqual([wanted]);
    const gates = await store.transact('read', (rows) => rows.control('gates'));
    const [gate] = Object.values(gates?.origins ?? {});
    expect(gate?.failures).toBe(1);
    expect([gate?.pausedUntil === 0, gate?.probeAt === 0]).toEqual([wanted, wanted]);
  });

  it('counts for each request that was asked, once its server is heard again', async () => {
    const { fail, due, context, system, all, store } = await backedOff(busy);
    await fail();
    await store.transact('strict', async (rows) => {
      const gates = await rows.control('gates');
      if (gates) await rows.putControl('gates', { ...gates, origins: {} });
    });
    await bringForward(context, { ignoreBackoff: true });
    expect(await due()).toEqual([false]);
    const askedUntil = (await all())[0]?.askedUntil ?? 0;
    expect(askedUntil).toBeGreaterThan(system.now());
    system.setClock(askedUntil);
    await bringForward(context, { ignoreBackoff: true });
    expect(await due()).toEqual([true]);
  });
});
