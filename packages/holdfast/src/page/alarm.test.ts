import { describe, expect, it } from 'vitest';
import { pageStatus } from '../testing/page-status';
import { rig, type RigOptions } from '../testing/rig';
import { setAlarm } from './alarm';
import { createFeed } from './feed';
import type { WhoSends } from './who-sends';

/** A page whose worker says that it is awake; `worker` is what it then does. */
async function page(
  worker: (made: ReturnType<typeof rig>) => Promise<unknown>,
  options: RigOptions & { readonly hidden?: boolean } = {},
) {
  const made = rig({ config: { routes: [{ name: 'notes', match: '/notes' }] }, ...options });
  const { context, engine } = made.tab();
  const feed = createFeed(context, () => pageStatus);
  await feed.refresh();
  const woken: string[] = [];
  const sends: Pick<WhoSends, 'wake' | 'wakeHere'> = {
    wake: async () => {
      woken.push('worker');
      await worker(made);
    },
    wakeHere: (why) => {
      woken.push('page');
      return engine.drain.wake(why);
    },
  };
  return { ...made, woken, stop: setAlarm(context, feed, sends as WhoSends, () => options.hidden === true) };
}

describe('a page with requests that are due', () => {
  it('sends them itself when a worker that says it is awake does nothing for a minute', async () => {
    const { add, system, transport, woken, all } = await page(() => Promise.resolve());
    await add('/notes');
    await system.passMs(55_000);
    expect(transport.sent).toHaveLength(0);
    expect(new Set(woken)).toEqual(new Set(['worker']));
    await system.passMs(15_000);
    expect(transport.sent).toHaveLength(1);
    expect((await all()).map(({ state }) => state)).toEqual(['delivered']);
  });

  it('asks every ten seconds at most while nobody sees it: others know sooner', async () => {
    const { add, system, woken } = await page(() => Promise.resolve(), { hidden: true });
    await add('/notes');
    await system.passMs(9_000);
    expect(woken).toEqual([]);
    await system.passMs(41_000);
    expect(woken.length).toBeLessThanOrEqual(5);
    expect(woken.length).toBeGreaterThan(1);
  });

  it('leaves them to a worker that is at work', async () => {
    const { add, system, woken, all } = await page(({ engine }) => engine.drain.wake('timer'));
    await add('/notes');
    await system.passMs(300_000);
    expect(woken).not.toContain('page');
    expect((await all()).map(({ state }) => state)).toEqual(['delivered']);
  });

  it('leaves them to a worker that waits for a server that is gone', async () => {
    const { add, system, woken } = await page(({ engine }) => engine.drain.wake('timer'), {
      server: () => ({ fail: 'network' }),
    });
    await add('/notes');
    await system.passMs(1_800_000);
    expect(woken).not.toContain('page');
  });

  it('wakes nobody any more once it is stopped', async () => {
    const { add, system, woken, stop } = await page(() => Promise.resolve());
    stop();
    await add('/notes');
    await system.passMs(600_000);
    expect(woken).toEqual([]);
  });
});
