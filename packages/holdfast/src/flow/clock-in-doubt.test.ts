import { describe, expect, it } from 'vitest';
import { rig } from '../testing/rig';

const day = 86_400_000;
const date = (ms: number): string => new Date(ms).toUTCString();

/** An order without a deadline and a command that is worth something for a minute, after days without a look at the outbox. */
async function afterDays(days: number, lane: string | null = null) {
  let serverSkewMs = 0;
  const made = rig({
    config: { routes: [{ name: 'api', match: '/*', lane: ':x' }] },
    server: () => ({ status: 201, headers: { date: date(made.system.now() + serverSkewMs) } }),
  });
  const { add, engine, system, transport, all } = made;
  await add('/first');
  await engine.drain.wake('start');
  await engine.drain.stop();
  await add('/order', {}, { lane: 'orders' });
  await add('/open-door', {}, { lane, expiresInMs: 60_000 });
  system.setClock(system.now() + days * day);
  return {
    ...made,
    tab: made.tab(),
    serverStaysBehind: () => void (serverSkewMs = -days * day),
    paths: () => transport.sent.map(({ url }) => new URL(url).pathname).slice(1),
    doorNow: async () => (await all()).at(-1),
  };
}

describe('after days without a look at the outbox', () => {
  it.each([null, 'doors'])(
    'a command past its time is never sent, and expires once a server confirms the clock',
    async (lane) => {
      const { tab, paths, doorNow } = await afterDays(3, lane);
      await tab.engine.drain.wake('start');
      expect(paths()).toEqual(['/order']);
      expect(await doorNow()).toMatchObject({ state: 'dead', dead: { reason: 'expired' } });
    },
  );

  it('a clock that was set wrong kills nothing, and does no harm once it is set right', async () => {
    const { tab, paths, doorNow, system, serverStaysBehind } = await afterDays(3);
    serverStaysBehind();
    await tab.engine.drain.wake('start');
    expect(paths()).toEqual(['/order']);
    expect(await doorNow()).toMatchObject({ state: 'pending' });

    system.setClock(system.now() - 3 * day);
    await system.passMs(20_000);
    await tab.engine.drain.wake('visible');
    expect(paths()).toEqual(['/order', '/open-door']);
    expect(await doorNow()).toMatchObject({ state: 'delivered' });
  });

  it('a clock that runs on evenly is believed after ten minutes', async () => {
    const { tab, paths, doorNow, system, serverStaysBehind } = await afterDays(3);
    serverStaysBehind();
    await tab.engine.drain.wake('start');
    await system.passMs(599_000);
    expect(await doorNow()).toMatchObject({ state: 'pending' });
    await system.passMs(2_000);
    expect(await doorNow()).toMatchObject({ state: 'dead', dead: { reason: 'expired' } });
    expect(paths()).toEqual(['/order']);
  });

  it('those who wait for the clock hide nobody who need not, however many they are', async () => {
    const { add, engine, system, tab, transport, all } = rig({
      config: { routes: [{ name: 'api', match: '/*', lane: null }] },
      server: () => ({ status: 201 }),
    });
    await add('/first');
    await engine.drain.wake('start');
    await engine.drain.stop();
    for (let nth = 0; nth < 100; nth += 1) await add('/open-door', {}, { expiresInMs: 60_000 });
    for (let nth = 0; nth < 3; nth += 1) await add('/order');
    system.setClock(system.now() + 3 * day);
    await tab().engine.drain.wake('start');
    expect(transport.sent.map(({ url }) => new URL(url).pathname)).toEqual(['/first', '/order', '/order', '/order']);
    expect((await all()).filter(({ state }) => state === 'pending')).toHaveLength(100);
  });

  it('a wait that was set on a clock far ahead is known for it behind those who wait for the clock', async () => {
    let busy = false;
    const { add, engine, system, tab, transport } = rig({
      config: { routes: [{ name: 'api', match: '/*', lane: null }] },
      server: () => (busy ? { status: 503, headers: { 'retry-after': '60' } } : { status: 201 }),
    });
    await add('/first');
    await engine.drain.wake('start');
    system.setClock(system.now() + 4 * day);
    busy = true;
    await add('/asked-to-wait');
    await engine.drain.wake('enqueue');
    await engine.drain.stop();
    system.setClock(system.now() - 8 * day);
    busy = false;
    for (let nth = 0; nth < 40; nth += 1) await add('/open-door', {}, { expiresInMs: 60_000 });
    const late = tab();
    await late.engine.drain.stop();
    system.setClock(system.now() + 4 * day);
    await tab().engine.drain.wake('start');
    expect(transport.sent.map(({ url }) => new URL(url).pathname)).toContain('/asked-to-wait');
  });

  it('what is under way is waited for, not looked at again and again', async () => {
    const { add, engine, system, tab } = rig({
      config: { routes: [{ name: 'api', match: '/*', lane: null, capture: 'write-ahead' }] },
      server: (_, nth) => ({ status: 201, afterMs: nth > 1 ? 20_000 : 0 }),
    });
    await add('/first');
    await engine.drain.wake('start');
    await engine.drain.stop();
    await add('/open-door', {}, { expiresInMs: 60_000 });
    system.setClock(system.now() + 3 * day);
    const { engine: own, context, fetch } = tab();
    void fetch('/under-way');
    await system.passMs(10);

    let looks = 0;
    const { transact } = context.store;
    context.store.transact = (durability, work) =>
      (looks += 1) > 500 ? Promise.reject(new Error('in circles')) : transact(durability, work);
    void own.drain.wake('start');
    await system.passMs(1_000);
    expect(looks).toBeLessThan(50);
    await system.passMs(60_000);
  });
});
