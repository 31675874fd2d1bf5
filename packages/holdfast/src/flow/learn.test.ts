import { describe, expect, it } from 'vitest';
import { defaultBackoff } from '../core/backoff';
import { rig } from '../testing/rig';

const config = {
  routes: [{ name: 'both', match: /\/waits$|\/slow$/, lane: null, timeoutMs: 5_000 }],
  key: { crossOrigin: ['https://api.example'] },
  retry: { backoff: { ...defaultBackoff, baseMs: 60_000, jitter: 'none' } },
} as const;

describe('an answer that shows an origin to be back', () => {
  it('brings forward what waits for that origin and nothing else, also when it comes late', async () => {
    const { add, engine, system, all, store } = rig({
      config,
      seed: 5,
      server: ({ url }) => (url.endsWith('/slow') ? { status: 201, afterMs: 9_000 } : { fail: 'silence' }),
    });
    const connectivity = async () => (await store.transact('read', (rows) => rows.control('gates')))?.connectivity;
    for (const url of ['https://api.example/slow', 'https://api.example/waits', '/waits']) await add(url);
    void engine.drain.wake('start');
    await system.passMs(5_000);
    const [, waits, elsewhere] = await all();
    expect(waits).toMatchObject({ state: 'pending', dueAt: system.now() + 60_000 });
    expect(await connectivity()).toMatchObject({ verdict: 'offline' });

    await system.passMs(4_000);
    const [slow, soon, asBefore] = await all();
    expect(slow).toMatchObject({ state: 'delivered' });
    expect(await connectivity()).toMatchObject({ verdict: 'online' });
    expect(soon?.dueAt).toBeLessThan(waits?.dueAt ?? 0);
    expect(soon?.dueAt).toBeGreaterThanOrEqual(system.now());
    expect(asBefore).toEqual(elsewhere);
  });
});
