import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../browsers/engine.ts';
import { enginesUnderTest } from '../browsers/engines-under-test.ts';
import { launch } from '../browsers/launch.ts';
import { openTab, type Page, platformSite, sees, textsOf, write } from './platform-site.ts';

/** What the platform lacks, and what the outbox says of it; with a worker and, where that differs, without one. */
const platforms = [
  {
    title: 'without Web Locks, Background Sync that never fires,',
    query: 'lack=locks,sync-that-fires',
    limit: 'no-locks',
  },
  { title: 'without Web Locks and a worker', query: 'lack=locks&alone', limit: 'no-locks' },
  { title: 'with Web Locks and Background Sync that refuse everybody', query: 'lack=willing-locks,willing-sync' },
  {
    title: 'with Web Locks that refuse everybody, a network that always says "offline", and no worker',
    query: 'lack=willing-locks,online&alone',
    limit: 'no-worker',
  },
  {
    title: 'without BroadcastChannel, Background Sync that never answers,',
    query: 'lack=broadcast-channel,sync-that-answers',
    limit: 'no-broadcast',
  },
  { title: 'without BroadcastChannel and a worker', query: 'lack=broadcast-channel&alone', limit: 'no-broadcast' },
  {
    title: 'without Background Sync, a network that always says "online",',
    query: 'lack=sync,offline',
    limit: 'no-background-sync',
  },
  { title: 'with a network that always says "offline"', query: 'lack=online' },
  {
    title: 'beside a worker of another release, which understands it and not the other way round,',
    query: 'lack=words-in-common',
  },
  { title: 'beside a worker of another release that understands none of its words', query: 'lack=ears-in-common' },
];

describe.each(enginesUnderTest)('$name', ({ name, installed }) => {
  let engine: Engine;
  beforeAll(async () => {
    if (installed) engine = await launch(name);
  });
  afterAll(() => engine?.close());

  it.skipIf(!installed).each(platforms)(
    '$title keeps what a page writes, sends each once by itself, and the other tab sees it',
    async ({ query, limit }) => {
      const site = await platformSite();
      try {
        const [first, second] = [await openTab(engine, site, query), await openTab(engine, site, query)];
        const limits = await first.evaluate(() => (window as unknown as Page).app.outbox.status().limits);
        if (limit) expect(limits.map(({ code }) => code)).toContain(limit);

        await site.stop();
        expect(await write(first, 'a', ['1', '2', '3'])).toEqual([202, 202, 202]);
        await site.start();

        for (const tab of [first, second]) await sees(tab, 3);
        expect(await textsOf(site, 'a')).toEqual(['1', '2', '3']);
        for (const tab of [first, second]) await tab.close();
      } finally {
        await site.stop();
      }
    },
  );
});
