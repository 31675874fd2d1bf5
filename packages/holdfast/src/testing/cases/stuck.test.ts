import { describe, expect, it } from 'vitest';
import { OutboxError } from '../../core/errors';
import { rig } from '../rig';

describe('what the platform says about the network', () => {
  it('holds nothing back: with "offline" for ever all is sent, without anybody doing anything', async () => {
    const { add, engine, system, all } = rig();
    system.sayOffline(true);
    await add('/a');
    await add('/b');
    void engine.drain.wake('start');
    await system.passMs(60_000);
    expect((await all()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  it('causes no flood: with "online" for ever and nobody there, attempts grow rare', async () => {
    const { add, engine, system, transport, all } = rig({ server: [] });
    await add('/a');
    void engine.drain.wake('start');
    await system.passMs(3_600_000);
    // One probe a minute and a bit, at the most; each costs the request nothing.
    expect(transport.sent.length).toBeLessThan(150);
    expect(await all()).toMatchObject([{ state: 'pending', attempts: 0 }]);
  });

  it('may flap: twenty changes in ten seconds are no twenty attempts', async () => {
    const { add, engine, system, transport } = rig({ server: [] });
    await add('/a');
    await add('/b');
    void engine.drain.wake('start');
    await system.passMs(10_000);
    const before = transport.sent.length;
    for (let flap = 0; flap < 20; flap += 1) {
      void engine.drain.wake('online');
      await system.passMs(500);
    }
    expect(transport.sent.length - before).toBeLessThan(20);
  });
});

describe('after a round that failed', () => {
  it('the next one comes, whatever failed: the channel, the store, the log', async () => {
    const { add, engine, system, context, all } = rig({
      config: {
        routes: [{ name: 'api', match: '/*', lane: null }],
        log: () => {
          throw new Error('the sink is broken');
        },
      },
    });
    await add('/a');
    const { post } = context.channel;
    const { transact } = context.store;
    Object.assign(context.channel, {
      post: () => {
        throw new Error('DataCloneError');
      },
    });
    let broken = 4;
    Object.assign(context.store, {
      transact: (...given: Parameters<typeof transact>) => {
        broken -= 1;
        return broken > 0 ? Promise.reject(new OutboxError('storage-unavailable', 'not now')) : transact(...given);
      },
    });
    void engine.drain.wake('start');
    await system.passMs(600_000);
    Object.assign(context.channel, { post });
    expect(await all()).toMatchObject([{ state: 'delivered' }]);
  });
});

describe('a long drain', () => {
  it('goes on in slices that let go of the lock, and two hundred slow requests arrive once, in order', async () => {
    const { add, engine, tab, system, transport, context } = rig({
      config: { routes: [{ name: 'api', match: '/*' }] },
      server: () => ({ status: 201, afterMs: 3_000 }),
    });
    for (let n = 0; n < 200; n += 1) await add(`/${n}`);
    const other = tab();
    const holdsMs: number[] = [];
    for (const { lock } of [context, other.context]) {
      const { hold } = lock;
      const watched: typeof hold = (name, options, work) =>
        hold(name, options, async (lost) => {
          const since = system.now();
          const value = await work(lost);
          holdsMs.push(system.now() - since);
          return value;
        });
      Object.assign(lock, { hold: watched });
    }
    void engine.drain.wake('start');
    void other.engine.drain.wake('start');
    await system.passMs(700_000);
    const paths = transport.sent.map(({ url }) => new URL(url).pathname);
    expect(paths).toEqual(Array.from({ length: 200 }, (_, n) => `/${n}`));
    expect(holdsMs.length).toBeGreaterThan(20);
    expect(Math.max(...holdsMs)).toBeLessThanOrEqual(30_000);
  });
});
