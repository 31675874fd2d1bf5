import { describe, expect, it } from 'vitest';
import { memoryStore } from '../testing/memory-store';
import { openGates } from '../core/control';
import { pageStatus } from '../testing/page-status';
import { rig } from '../testing/rig';
import type { Store } from '../ports';
import { createFeed } from './feed';

/** A page that only watches, and another context that makes the requests. */
async function page({ lookMs = 0 } = {}) {
  const inner = memoryStore();
  let looks = 0;
  let hidden = false;
  const store: Store = {
    ...inner,
    async transact(durability, work) {
      let isLook = false;
      const result = await inner.transact(durability, (rows) =>
        work({
          ...rows,
          list(query) {
            isLook ||= query.state === 'dead';
            return rows.list(query);
          },
        }),
      );
      looks += isLook ? 1 : 0;
      if (isLook && lookMs > 0) await new Promise<void>((resolve) => made.system.timer(lookMs, resolve));
      return result;
    },
  };
  const made = rig({ store });
  const feed = createFeed(made.tab().context, () => pageStatus, { hidden: () => hidden });
  const first = feed.refresh();
  await made.system.passMs(lookMs);
  await first;
  const shown: number[] = [];
  feed.subscribe(({ counts }) => void shown.push(counts.pending));
  return {
    ...made,
    feed,
    shown,
    hide: (now: boolean) => void (hidden = now),
    /** How often it looked since the last question. */
    looks: () => {
      const since = looks;
      looks = 0;
      return since;
    },
  };
}

describe('a page that follows changes', () => {
  it('looks at once, and while they stream on every 400 ms at most; the last of them is seen', async () => {
    const { add, feed, system, looks } = await page();
    looks();
    for (let nth = 0; nth < 100; nth += 1) {
      await add('/orders');
      await system.passMs(40);
    }
    // At 0, 100, 300, 700 ms, and then every 400.
    expect(looks()).toBe(12);
    await system.passMs(400);
    expect(feed.getSnapshot().counts.pending).toBe(100);
  });

  it('rests nine times as long as a look takes, so that many tabs do not hold up each other, but two seconds at most', async () => {
    for (const [lookMs, most] of [
      [100, 10 + 1],
      [1_000, 4 + 1],
    ] as const) {
      const { add, system, looks } = await page({ lookMs });
      looks();
      for (let nth = 0; nth < 100; nth += 1) {
        await add('/orders');
        await system.passMs(100);
      }
      expect(looks()).toBeLessThanOrEqual(most);
    }
  });

  it('looks every five seconds while nobody sees it, and at once when somebody does', async () => {
    const { add, feed, system, looks, hide } = await page();
    hide(true);
    looks();
    for (let nth = 0; nth < 90; nth += 1) {
      await add('/orders');
      await system.passMs(100);
    }
    expect(looks()).toBe(2);
    hide(false);
    await add('/orders');
    await system.passMs(10);
    expect(feed.getSnapshot().counts.pending).toBe(91);
  });

  it('is as quick as before once they have ceased', async () => {
    const { add, feed, system } = await page();
    for (let nth = 0; nth < 50; nth += 1) {
      await add('/orders');
      await system.passMs(40);
    }
    await system.passMs(1_000);
    await add('/orders');
    await add('/orders');
    await system.passMs(100);
    expect(feed.getSnapshot().counts.pending).toBe(52);
  });

  it('tells nobody of a look that showed nothing new, and everybody of what time alone has changed', async () => {
    const { feed, shown, context, system, looks } = await page();
    const before = feed.getSnapshot();
    feed.changed(before.revision, []);
    await system.passMs(1_000);
    expect(looks()).toBeGreaterThan(0);
    expect(feed.getSnapshot()).toBe(before);
    expect(shown).toHaveLength(1);

    await context.store.transact('strict', (rows) => rows.putControl('gates', pausedUntil(system.now() + 5_000)));
    await feed.refresh();
    expect(feed.getSnapshot()).toMatchObject({ revision: before.revision, paused: { until: system.now() + 5_000 } });
    await system.passMs(6_000);
    await feed.refresh();
    expect(feed.getSnapshot()).toMatchObject({ revision: before.revision, paused: null });
  });
});

function pausedUntil(until: number) {
  return { ...openGates, all: { until } };
}
