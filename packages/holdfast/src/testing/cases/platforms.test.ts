import { describe, expect, it } from 'vitest';
import { contextLock } from '../../browser/web-lock';
import { rig, type Rig } from '../rig';

/** A browser without Web Locks: each context knows only of itself. */
function rigWithoutLocks(options: Parameters<typeof rig>[0]): Rig {
  const made = rig(options);
  const { tab } = made;
  Object.assign(made.context, { lock: contextLock() });
  return {
    ...made,
    tab: (config) => {
      const other = tab(config);
      Object.assign(other.context, { lock: contextLock() });
      return other;
    },
  };
}

const slow = {
  config: { routes: [{ name: 'api', match: '/*', lane: null }] },
  server: () => ({ status: 201, afterMs: 8_000 }),
};
const states = async ({ all }: Rig): Promise<readonly string[]> => (await all()).map(({ state }) => state);

describe('a browser without Web Locks', () => {
  it('sends each request once all the same: what another tab has under way is left to it', async () => {
    const browser = rigWithoutLocks(slow);
    const { add, engine, tab, system, transport } = browser;
    for (const path of ['/a', '/b', '/c', '/d']) await add(path);
    const others = [tab(), tab()];
    void engine.drain.wake('start');
    await system.passMs(1_000);
    for (const other of others) void other.engine.drain.wake('online');
    await system.passMs(120_000);
    expect(await states(browser)).toEqual(['delivered', 'delivered', 'delivered', 'delivered']);
    expect(transport.sent).toHaveLength(4);
  });

  it('sends again what a tab that died had under way, once its lease has run out', async () => {
    const browser = rigWithoutLocks({
      ...slow,
      server: (_, nth) => (nth === 1 ? { fail: 'silence' } : { status: 201 }),
    });
    const { add, engine, fake, tab, system, transport } = browser;
    const { key } = await add('/a');
    void engine.drain.wake('start');
    await system.passMs(1_000);
    fake.kill();
    void tab().engine.drain.wake('start');
    await system.passMs(600_000);
    expect(await states(browser)).toEqual(['delivered']);
    expect(transport.sent.map(({ headers }) => headers.find(([name]) => name === 'Idempotency-Key')?.[1])).toEqual([
      `"${key}"`,
      `"${key}"`,
    ]);
  });
});

describe('a lock that somebody steals', () => {
  it('ends the slice of its holder; what that had under way is not sent by anybody else, and the rest goes on', async () => {
    const browser = rig(slow);
    const { add, engine, tab, system, network, transport } = browser;
    for (let n = 0; n < 8; n += 1) await add(`/${n}`);
    const other = tab();
    void engine.drain.wake('start');
    for (let theft = 0; theft < 5; theft += 1) {
      await system.passMs(1_000);
      network.steal('drain');
      void other.engine.drain.wake('online');
    }
    await system.passMs(300_000);
    expect(await states(browser)).toEqual(Array.from({ length: 8 }, () => 'delivered'));
    expect(transport.sent).toHaveLength(8);
  });
});
