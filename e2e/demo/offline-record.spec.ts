import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../browsers/engine.ts';
import { findBrowser } from '../browsers/find-browsers.ts';
import { launch } from '../browsers/launch.ts';
import { demoServer, type DemoServer } from './demo-server.ts';

interface SavedNote {
  readonly id: string;
  readonly text: string;
  readonly rating: number;
  readonly photos: readonly { readonly id: string }[];
}

/** A real PNG of several MB: its header, then noise no codec could invent. */
function photo(folder: string, name: string): string {
  const path = join(folder, name);
  const png = readFileSync(new URL('../../demo-pwa/public/icons/icon-512.png', import.meta.url));
  writeFileSync(path, Buffer.concat([png, randomBytes(3 * 1024 * 1024)]));
  return path;
}

const inPanel = 'document.querySelector("outbox-panel")';
const counts = () => {
  const { ready, counts } = (
    window as unknown as {
      outbox: {
        getSnapshot(): {
          ready: boolean;
          counts: { pending: number; sending: number; delivered: number; open: number };
        };
      };
    }
  ).outbox.getSnapshot();
  return ready ? counts : undefined;
};

const installed = findBrowser('chromium') !== undefined;

describe.skipIf(!installed)('a record made while the server is down', () => {
  let server: DemoServer;
  let folder: string;
  let engine: Engine;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'holdfast-photos-'));
    server = await demoServer();
    await server.start();
  });
  afterAll(async () => {
    await engine?.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('survives SIGKILL of the browser, and is one row with its photos byte for byte when the server is back', async () => {
    const profile = join(folder, 'profile');
    const photos = [photo(folder, 'gate.png'), photo(folder, 'hinge.png')];
    engine = await launch('chromium', { profile });
    await engine.open(server.url);
    await engine.waitFor('navigator.serviceWorker.controller !== null && window.outbox.status().sender === "worker"');
    const site = await engine.waitFor<string>('document.querySelector("a[data-site]")?.dataset.site');

    await server.kill();
    await engine.click(`a[data-site="${site}"]`);
    await engine.click('button.add');
    await engine.waitFor('document.querySelector("note-form textarea") !== null');
    await engine.click('note-form label.r4');
    await engine.fill('note-form textarea', 'Hinge is loose');
    await engine.attach('note-form input[name="photos"]', photos);
    await engine.click('note-form button[type="submit"]');
    await engine.waitFor(`(${String(counts)})()?.pending === 3`);

    // The edit of a record the server has not seen yet.
    await engine.waitFor('document.querySelector(".note button.quiet:not(.danger)") !== null');
    await engine.click('.note button.quiet:not(.danger)');
    await engine.waitFor('document.querySelector("note-form textarea")?.value === "Hinge is loose"');
    await engine.fill('note-form textarea', 'Hinge is loose, tightened');
    await engine.click('note-form button[type="submit"]');
    await engine.waitFor(`(${String(counts)})()?.pending === 4`);
    await engine.kill();

    engine = await launch('chromium', { profile });
    await engine.open(server.url); // The server is still down: the shell comes from the worker.
    expect(await engine.waitFor(counts)).toMatchObject({ pending: 4, delivered: 0, open: 0 });
    await engine.open(`${server.url}#/sites/${site}`);
    await engine.waitFor('document.querySelector(".note")?.textContent.includes("tightened")');

    await server.start();
    await engine.waitFor(`(${String(counts)})()?.delivered === 4`, undefined, 90_000);
    expect(await engine.waitFor(counts)).toMatchObject({ pending: 0, sending: 0, open: 0 });
    await engine.waitFor(`${inPanel} !== null && ${inPanel}.shadowRoot.textContent.length > 0`);

    const notes = (await (await server.get('/api/notes')).json()) as SavedNote[] | { notes: SavedNote[] };
    const saved = Array.isArray(notes) ? notes : notes.notes;
    expect(saved).toHaveLength(1);
    expect(saved[0]).toMatchObject({ text: 'Hinge is loose, tightened', rating: 4 });
    const arrived = await Promise.all(
      (saved[0]?.photos ?? []).map(async ({ id }) =>
        Buffer.from(await (await server.get(`/api/photos/${id}`)).arrayBuffer()),
      ),
    );
    expect(
      arrived.map(
        (bytes) => bytes.equals(readFileSync(photos[0] ?? '')) || bytes.equals(readFileSync(photos[1] ?? '')),
      ),
    ).toEqual([true, true]);
    expect(arrived[0]?.equals(arrived[1] ?? Buffer.alloc(0))).toBe(false);
  });

  it('takes effect once when the server does the work and then resets the connection', async () => {
    await server.faults('reset-after');
    const before = (await server.ledger()).length;
    const answer = await engine.evaluate(async () => {
      const site = (document.querySelector('a[data-site]') as HTMLElement).dataset['site'];
      const body = JSON.stringify({ siteId: site, text: 'once', rating: 3, createdAt: Date.now() });
      const response = await fetch(`/api/notes/${crypto.randomUUID()}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body,
      });
      return { status: response.status, entry: response.headers.get('Holdfast-Entry') };
    });
    expect(answer).toEqual({ status: 202, entry: expect.any(String) as string });
    await server.faults('ok');
    await engine.evaluate(
      (id: string) => (window as unknown as { outbox: { settled(id: string): Promise<unknown> } }).outbox.settled(id),
      answer.entry ?? '',
    );
    const effects = (await server.ledger()).slice(before);
    expect(effects).toHaveLength(1);
  });
});
