import axe from 'axe-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { server } from 'vitest/browser';
import { OutboxError } from '../core/errors';
import './define';
import { deliveredEntry, entry } from './fixtures/entries';
import { everyKind } from './fixtures/every-kind';
import { fakeOutbox } from './fixtures/fake-outbox';
import { mount, settled, type Mounted } from './fixtures/mount';

let mounted: Mounted | undefined;
beforeEach(() => {
  document.documentElement.lang = 'en';
  document.title = 'panel';
});
afterEach(() => {
  mounted?.remove();
  mounted = undefined;
});

describe('accessibility', () => {
  const paused = { paused: { until: null } };
  const trouble = {
    signInNeeded: true,
    suspects: ['https://files.example'],
    status: {
      durability: 'memory',
      persisted: 'no',
      sender: 'page',
      protected: false,
      backgroundSync: false,
      limits: [
        { code: 'evicted', message: 'The browser removed the requests stored here.' },
        { code: 'no-background-sync', message: 'Requests go out only while the app is open.' },
      ],
    },
  } as const;
  const states = {
    'no outbox': () => null,
    looking: () => fakeOutbox([], { ready: false }),
    empty: () => fakeOutbox([]),
    'every kind': () => fakeOutbox(everyKind()),
    'all confirmed': () => fakeOutbox([deliveredEntry()]),
    offline: () => fakeOutbox(everyKind(), { connectivity: 'offline' }),
    paused: () => fakeOutbox(everyKind(), paused),
    'everything is wrong': () => fakeOutbox(everyKind(), trouble),
    'right to left': () => fakeOutbox(everyKind()),
    'a long list': () => fakeOutbox(Array.from({ length: 300 }, () => entry())),
  };
  const views: Record<string, (panel: Mounted) => Promise<void>> = {
    'as it is': () => Promise.resolve(),
    'rows unfolded': async (panel) => {
      for (const fold of panel.all('[data-act=fold]').slice(0, 8)) fold.click();
      await panel.updated();
      panel.all('[data-act=content]')[0]?.click();
      await panel.updated();
    },
    'a search without a hit': async (panel) => {
      if (panel.root.querySelector('[data-field=query]')) await panel.type('[data-field=query]', 'zzz');
    },
    'one group': (panel) => (panel.root.querySelector('.tile') ? panel.click('.tile.waiting') : Promise.resolve()),
    'a dialog': async (panel) => {
      const fold = panel.all('[data-act=fold]')[0];
      fold?.click();
      await panel.updated();
      panel.all('[data-act=close], [data-act=cancel]')[0]?.click();
      await panel.updated();
    },
    'the editor': async (panel) => {
      panel.all('[data-act=fold]')[0]?.click();
      await panel.updated();
      panel.all('[data-act=fix], [data-act=edit]')[0]?.click();
      await settled();
      await panel.updated();
    },
    'an error': async (panel) => {
      panel.fake?.failNext('pause', new OutboxError('storage-unavailable', 'x'));
      panel.all('[data-act=pause]')[0]?.click();
      await panel.updated();
    },
  };
  // What axe looks at is the same in all engines but for computed styles: one engine sees everything, the others the most.
  const whole = server.browser === 'chromium';
  const runs = (whole ? (['light', 'dark'] as const) : (['light'] as const)).flatMap((scheme) =>
    Object.keys(states).flatMap((state) =>
      Object.keys(views)
        .slice(0, whole ? undefined : 2)
        .map((view) => [state, view, scheme] as const),
    ),
  );

  it.each(runs)('has nothing for axe to find: %s, %s, %s', async (state, view, scheme) => {
    if (state === 'right to left') document.documentElement.lang = 'ar';
    const fake = states[state as keyof typeof states]();
    for (const id of ['dead-1', 'waiting']) {
      fake?.contents.set(id, {
        method: 'POST',
        url: 'https://api.example/orders',
        headers: [['content-type', 'application/json']],
        body: new Blob(['{"qty":0}'], { type: 'application/json' }),
      });
    }
    mounted = await mount(fake, { scheme, width: view === 'a dialog' ? 800 : 380 });
    if (state === 'right to left') await mounted.until(() => mounted?.find('.panel').dir === 'rtl');
    await views[view]?.(mounted);
    const { violations } = await axe.run(mounted.host, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      // About the page around it.
      rules: {
        region: { enabled: false },
        'page-has-heading-one': { enabled: false },
        'landmark-one-main': { enabled: false },
      },
    });
    expect(
      violations.map(({ id, nodes }) => [
        id,
        nodes.map(({ html, failureSummary }) => [html.slice(0, 200), failureSummary]),
      ]),
    ).toEqual([]);
  });
});
