import { describe, expect, it } from 'vitest';
import { openGates } from '../../core/control';
import { bringForward } from '../../flow/acts/flush';
import { seen, sightOf } from '../../flow/look';
import { rig } from '../rig';

describe('ten writes of one thing', () => {
  const bodies = Array.from({ length: 10 }, (_, n) => `v${n + 1}`);
  const text = (body: unknown): string => (body instanceof Uint8Array ? String.fromCharCode(...body) : '');

  it('all go, in the order they were made, unless merging is asked for', async () => {
    const { add, engine, transport, system } = rig({ config: { routes: [{ name: 'profile', match: '/*' }] } });
    for (const body of bodies) await add('/profile/7', { method: 'PUT', body });
    void engine.drain.wake('start');
    await system.passMs(60_000);
    expect(transport.sent.map(({ body }) => text(body))).toEqual(bodies);
  });

  it('are one when it is, with the newest content', async () => {
    const { add, engine, transport, system } = rig({
      config: { routes: [{ name: 'profile', match: '/*', coalesce: true }] },
    });
    for (const body of bodies) await add('/profile/7', { method: 'PUT', body });
    void engine.drain.wake('start');
    await system.passMs(60_000);
    expect(transport.sent.map(({ body }) => text(body))).toEqual(['v10']);
  });
});

describe('"send now"', () => {
  it('sends what waits for its backoff at once; what the server asked to wait stays, and says why', async () => {
    let up = false;
    const { add, engine, transport, system, all, context, store } = rig({
      config: {
        routes: [
          { name: 'busy', match: 'https://busy.example/*', lane: null },
          {
            name: 'api',
            match: '/*',
            lane: null,
            retry: { backoff: { baseMs: 3_000_000, capMs: 3_000_000, factor: 1, jitter: 'none' } },
          },
        ],
      },
      server: ({ url }) =>
        url.includes('busy')
          ? { status: 503, headers: { 'retry-after': '600' } }
          : up
            ? { status: 201 }
            : { status: 500 },
    });
    await add('/a');
    await add('/b');
    await add('https://busy.example/c');
    void engine.drain.wake('start');
    await system.passMs(1_000);
    up = true;
    const before = transport.sent.length;

    await bringForward(context, { ignoreBackoff: true });
    void engine.drain.wake('person');
    await system.passMs(10_000);
    expect((await all()).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'pending']);
    expect(transport.sent.length).toBe(before + 2);
    const gates = (await store.transact('read', (rows) => rows.control('gates'))) ?? openGates;
    const [, , waiting] = await all();
    expect(waiting && seen(waiting, sightOf(context, gates, '')).why).toMatchObject({ kind: 'origin-paused' });

    await bringForward(context, { force: true });
    void engine.drain.wake('person');
    await system.passMs(10_000);
    expect(transport.sent.length).toBe(before + 3);
  });
});

describe('an intent whose time to live is over', () => {
  it('is found among the dead with its payload after a week offline, and looking at it changes nothing', async () => {
    const hour = 3_600_000;
    const { add, engine, all, system, context } = rig({
      config: { routes: [{ name: 'api', match: '/*', lane: null, timeToLiveMs: 7 * 24 * hour }] },
      server: [],
    });
    system.sayOffline(true);
    await add('/a', { body: 'payload' });
    void engine.drain.wake('start');
    await system.passMs(hour);
    // The device lies in a drawer; after that its clock runs evenly again.
    system.setClock(system.now() + 8 * 24 * hour);
    await system.passMs(hour);
    const [dead] = await all();
    expect(dead).toMatchObject({ state: 'dead', dead: { reason: 'expired' } });
    expect(text(dead?.body.bytes)).toBe('payload');
    for (let look = 0; look < 3; look += 1) {
      await context.store.transact('read', (rows) => rows.list({ subject: '', state: 'dead', limit: 10 }));
    }
    expect(await all()).toEqual([dead]);
  });

  const text = (body: unknown): string => (body instanceof Uint8Array ? String.fromCharCode(...body) : '');
});
