import { describe, expect, it } from 'vitest';
import { memoryStore } from '../testing/memory-store';
import { openGates } from '../core/control';
import { pageStatus } from '../testing/page-status';
import { rig } from '../testing/rig';
import type { Store } from '../ports';
import { createFeed } from './feed';

/** A page that only watches, and another context that makes the requests. */
async function page() {
  const inner = memoryStore();
  let looks = 0;
  const store: Store = {
    ...inner,
    transact: (durability, work) =>
      inner.transact(durability, (rows) =>
        work({ ...rows, list: (query) => ((looks += query.state === 'dead' ? 1 : 0), rows.list(query)) }),
      ),
  };
  const made = rig({ store });
  const feed = createFeed(made.tab().context, () => pageStatus);
  await feed.refresh();
  const shown: number[] = [];
  feed.subscribe(({ counts }) => void shown.push(counts.pending));
  return {
    ...made,
    feed,
    shown,
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
