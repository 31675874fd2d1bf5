import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AliasOptions } from 'vite';
import type { Engine } from '../browsers/engine.ts';
import { findBrowser } from '../browsers/find-browsers.ts';
import { launch } from '../browsers/launch.ts';
import { buildWorker } from './build-worker.ts';
import { differences } from './differences.ts';
import { startSite, type Site } from '../peer/site.ts';
import type { Seen } from './seen.ts';

interface Bench {
  readonly site: Site;
  probe(name: string): Promise<Seen>;
  readonly names: readonly string[];
  /** A page with Holdfast's client, beside the worker. */
  look(): ReturnType<typeof lookFromThePage>;
}

interface Dead {
  readonly lane: string;
  readonly size: number;
  readonly dead: { readonly reason: string };
}

/** The page's client, as `panel.page.ts` opens it; this runs in the page. */
async function lookFromThePage(): Promise<{ sender: string; dead: readonly Dead[] }> {
  const { outbox } = window as unknown as {
    outbox: {
      status(): { sender: string };
      flush(): Promise<void>;
      dead: { list(options: { limit: number }): Promise<readonly Dead[]> };
    };
  };
  await outbox.flush();
  return { sender: outbox.status().sender, dead: await outbox.dead.list({ limit: 1_000 }) };
}

const instead = [{ find: /^workbox-background-sync(\/BackgroundSyncPlugin\.js)?$/, replacement: 'holdfast/workbox' }];
const installed = findBrowser('chromium') !== undefined;

describe.skipIf(!installed)('in a real service worker, Workbox and its stand-in', () => {
  let engine: Engine;
  const sites: Site[] = [];
  const seen = {
    workbox: {} as Record<string, Seen>,
    holdfast: {} as Record<string, Seen>,
    more: {} as Record<string, Seen>,
  };
  let names: readonly string[] = [];
  let looked: Awaited<ReturnType<typeof lookFromThePage>>;

  async function bench(worker: string, alias: AliasOptions): Promise<Bench> {
    const code = await buildWorker(worker, { alias, mode: 'development' });
    const site = await startSite([['/worker.js', code]]);
    sites.push(site);
    const tab = await engine.newTab();
    await tab.open(site.url);
    const ask = `(message) => new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => resolve(data);
      navigator.serviceWorker.controller.postMessage(message, [port2]);
    })`;
    await tab.evaluate('navigator.serviceWorker.register("/worker.js").then(() => true)');
    await tab.waitFor('navigator.serviceWorker.controller?.state === "activated"');
    return {
      site,
      names: await tab.evaluate<string[]>(`(${ask})({})`),
      look: async () => {
        site.files.set('/panel.js', await buildWorker('panel.page', { mode: 'development' }));
        await tab.evaluate('import("/panel.js").then(() => true)');
        await tab.waitFor('typeof outbox === "object"');
        return tab.evaluate(lookFromThePage);
      },
      probe: async (name) => (await tab.evaluate<{ seen: Seen }>(`(${ask})(${JSON.stringify({ probe: name })})`)).seen,
    };
  }

  beforeAll(async () => {
    engine = await launch('chromium');
    const original = await bench('compat.worker', {});
    const ours = await bench('compat.worker', instead);
    names = original.names;
    for (const name of names) {
      seen.workbox[name] = await original.probe(name);
      seen.holdfast[name] = await ours.probe(name);
    }
    looked = await ours.look();
    const more = await bench('ours.worker', instead);
    for (const name of more.names) seen.more[name] = await more.probe(name);
  });
  afterAll(async () => {
    await engine?.close();
    for (const site of sites) await site.stop();
  });

  it('behave alike, but for the differences that are meant and named', () => {
    expect(names.length).toBeGreaterThan(30);
    for (const name of names) {
      const difference = differences[name];
      expect({ [name]: seen.workbox[name] }).toEqual({ [name]: difference?.workbox ?? seen.workbox[name] });
      expect({ [name]: seen.holdfast[name] }).toEqual({ [name]: difference?.holdfast ?? seen.workbox[name] });
    }
  });

  it('differ in what cannot be sent: ours is listed, with its payload', () => {
    const reasons = (reason: string) => looked.dead.filter(({ dead, size }) => dead.reason === reason && size > 0);
    expect(reasons('expired').length).toBeGreaterThan(2);
    for (const code of ['rejected', 'auth']) expect(reasons(code).length).toBeGreaterThan(0);
  });

  it('differ in that a page can look at the queues, and that the worker looks after them for it', () => {
    expect(looked.sender).toBe('worker');
    expect(new Set(looked.dead.map(({ lane }) => lane)).size).toBeGreaterThan(3);
  });

  it('differ in what only ours has', () => {
    expect(seen.more).toEqual({
      'the key is on the first attempt, and on every later one': {
        ended: { resolved: null },
        tries: 2,
        has: true,
        same: true,
      },
      'the key is not put on what it would preflight, or where there is one': [null, 'mine', null],
      'a queue that several routes share': [true, { rejected: 'duplicate-queue-name' }],
      'somebody is told of the dead': ['PATCH rejected'],
      'options for all queues come before the first': { rejected: 'OutboxError' },
      'an onSync whose sync the browser refuses is called all the same': 0,
    });
  });

  it('differ where we say so, and each difference is in the page about moving', () => {
    const page = readFileSync(new URL('../../docs/moving-from-workbox.md', import.meta.url), 'utf8');
    for (const [probe, { name, workbox, holdfast }] of Object.entries(differences)) {
      expect(names).toContain(probe);
      expect(workbox).not.toEqual(holdfast);
      expect(page).toContain(name);
    }
  });
});
