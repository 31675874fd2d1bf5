import type { OutboxSnapshot } from 'holdfast';
import type { Outbox } from 'holdfast/page';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../browsers/engine.ts';
import { findBrowser } from '../browsers/find-browsers.ts';
import { launch } from '../browsers/launch.ts';
import { demoServer, type DemoServer } from '../demo/demo-server.ts';

type Page = Window & { readonly outbox: Outbox };

interface SignedEffect {
  readonly path: string;
  readonly effect: string;
  readonly user: string;
}

const installed = findBrowser('chromium') !== undefined;

describe.skipIf(!installed)('two people on one device, each with a session cookie', () => {
  let server: DemoServer;
  let engine: Engine;
  let site: string;

  beforeAll(async () => {
    server = await demoServer();
    await server.start();
    engine = await launch('chromium');
    await engine.open(server.url);
    await engine.waitFor('navigator.serviceWorker.controller !== null && window.outbox.status().sender === "worker"');
    site = await engine.waitFor<string>('document.querySelector("a[data-site]")?.dataset.site');
  });
  afterAll(async () => {
    await engine?.close();
    await server?.close();
  });

  /** A write as the app makes it; resolves with its id and how it was answered. */
  async function write(text: string): Promise<{ id: string; status: number; entry: string | null }> {
    const id = randomUUID();
    const body = JSON.stringify({ siteId: site, text, rating: 3, createdAt: Date.now() });
    const answer = await engine.evaluate(
      async ({ url, text }: { url: string; text: string }) => {
        const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: text };
        const response = await fetch(url, init);
        return { status: response.status, entry: response.headers.get('Holdfast-Entry') };
      },
      { url: `/api/notes/${id}`, text: body },
    );
    return { id, ...answer };
  }

  /** Presses the button that bears this text, once it is there. */
  const press = (text: string): Promise<unknown> =>
    engine.waitFor(
      `(() => { const button = [...document.querySelectorAll('button')].find((one) => one.textContent.includes(${JSON.stringify(text)}));
        button?.click(); return button !== undefined; })()`,
    );

  /** Chooses who is on the round, once nobody is. */
  async function signIn(name: string): Promise<void> {
    await engine.waitFor('document.querySelector(".sign-in") !== null && !document.querySelector("dialog[open]")');
    await press(name);
    await engine.waitFor(`document.querySelector(".account")?.textContent.includes(${JSON.stringify(name)})`);
  }

  const snapshot = (): Promise<OutboxSnapshot> =>
    engine.evaluate(() => (window as unknown as Page).outbox.getSnapshot());

  /** Sends everything that may go, whatever it waits for, and returns when nothing of this person's waits. */
  const sendAll = (): Promise<unknown> =>
    engine.evaluate(async () => {
      const { outbox } = window as unknown as Page;
      await outbox.flush({ force: true });
      await outbox.whenIdle();
      return true;
    });

  const effects = async (): Promise<readonly SignedEffect[]> =>
    ((await server.ledger()) as unknown as SignedEffect[]).map(({ path, effect, user }) => ({ path, effect, user }));

  /** Everything on the page as text, shadow roots too. */
  const everyWord = (): Promise<string> =>
    engine.evaluate(() => {
      const words = (node: Node): string =>
        node instanceof Text
          ? node.data
          : [...((node as Element).shadowRoot?.childNodes ?? []), ...node.childNodes].map(words).join(' ');
      return words(document.body);
    });

  it('what one left unsent is neither sent nor shown nor counted for the other, and goes out once, as its owner', async () => {
    await server.faults('503', { retryAfterSeconds: 600 });
    const first = await write('Rung missing, says Ines');
    const second = await write('Rope frayed, says Ines');
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(await engine.waitFor('window.outbox.getSnapshot().counts.pending === 2')).toBe(true);
    await engine.evaluate(`location.hash = "#/sites/${site}"`);
    await engine.waitFor('document.querySelector(".note")?.textContent.includes("says Ines")');
    expect(await everyWord()).toContain('says Ines');
    // Nobody can change places without the server; what waits was told to come back in ten minutes.
    await server.faults('ok');
    await press('Sign out');
    await press('Sign out and keep it here');
    await signIn('Tomas Berg');

    expect((await snapshot()).counts).toMatchObject({ pending: 0, sending: 0, dead: 0, open: 0 });
    const own = await write('Ladder is fine, says Tomas');
    await sendAll();
    const seen = await engine.evaluate(async (id: string) => {
      const { outbox } = window as unknown as Page;
      const [listed, found, content, waiting, leaving, saved, stats] = await Promise.all([
        outbox.list(),
        outbox.get(id),
        outbox.content(id).catch(() => undefined),
        outbox.pendingFor('/*'),
        outbox.beforeSignOut(),
        outbox.export(),
        outbox.stats(),
      ]);
      return {
        listed: listed.map(({ url }) => new URL(url).pathname),
        found: found ?? null,
        content: content ?? null,
        waiting: waiting.length,
        leaving: leaving.pending + leaving.dead,
        saved: JSON.stringify([saved, stats]),
      };
    }, first.entry ?? '');
    expect(seen).toMatchObject({ found: null, content: null, waiting: 0, leaving: 0 });
    expect(seen.listed).toEqual(seen.listed.filter((path) => path === `/api/notes/${own.id}`));
    expect(seen.saved).not.toContain(first.id);
    expect(await everyWord()).not.toContain('says Ines');
    expect(await effects()).toEqual([{ path: `/api/notes/${own.id}`, effect: 'note-created', user: 'tomas' }]);

    await press('Sign out');
    await signIn('Ines Duarte');
    await sendAll();
    // Two records, two lanes: neither has to be first.
    const late = (await effects()).slice(1);
    expect(late.map(({ path }) => path).sort()).toEqual([first, second].map(({ id }) => `/api/notes/${id}`).sort());
    expect(late.map(({ user }) => user)).toEqual(['ines', 'ines']);
  });

  it('what meets an ended session waits for its owner without losing an attempt, and goes on after the sign-in', async () => {
    const before = (await effects()).length;
    await fetch(`${server.url}__sessions`, { method: 'DELETE' });
    const late = await write('Late, says Ines');
    expect(late.status).toBe(202);
    await engine.waitFor('window.outbox.getSnapshot().signInNeeded');
    const { counts, entries } = await snapshot();
    expect(counts).toMatchObject({ pending: 1, sending: 0, open: 0 });
    expect(entries.filter(({ state }) => state === 'pending').map(({ attempts }) => attempts)).toEqual([0]);
    expect(await effects()).toHaveLength(before);

    await press('Sign in again');
    await engine.waitFor('window.outbox.getSnapshot().counts.pending === 0', undefined, 60_000);
    expect((await effects()).slice(before)).toEqual([
      { path: `/api/notes/${late.id}`, effect: 'note-created', user: 'ines' },
    ]);
    expect((await snapshot()).signInNeeded).toBe(false);
  });
});
