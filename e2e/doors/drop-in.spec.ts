import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outbox } from 'holdfast/page';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../browsers/engine.ts';
import { findBrowser } from '../browsers/find-browsers.ts';
import { launch } from '../browsers/launch.ts';
import { built } from './built.ts';
import { notesSite, type NotesSite } from './site.ts';

type Page = Window & { readonly outbox: Outbox };

/** Files as they are, beside the package's classic scripts. */
function copied(): Map<string, string> {
  const dist = join(import.meta.dirname, '../../packages/holdfast/dist');
  const own = join(import.meta.dirname, 'no-bundler');
  const read = (folder: string, names: readonly string[]) =>
    names.map((name) => [`/${name}`, readFileSync(join(folder, name), 'utf8')] as const);
  const classic = readdirSync(dist).filter((name) => name.endsWith('.classic.js'));
  return new Map([...read(own, readdirSync(own)), ...read(dist, classic)]);
}

const ways = {
  'vite-plugin-pwa': { files: () => built('build-vite.mjs', ['vite-pwa']), opensOffline: true },
  'plain Vite': { files: () => built('build-vite.mjs', ['plain-vite']), opensOffline: false },
  'no bundler': { files: () => Promise.resolve(copied()), opensOffline: false },
};

const installed = findBrowser('chromium') !== undefined;
let engine: Engine;
beforeAll(async () => {
  if (installed) engine = await launch('chromium');
});
afterAll(() => engine?.close());

describe.skipIf(!installed).each(Object.entries(ways))('with %s', (_way, { files, opensOffline }) => {
  let site: NotesSite;

  beforeAll(async () => {
    site = await notesSite(await files());
    await engine.open(site.url);
    await engine.waitFor('navigator.serviceWorker.controller !== null && window.outbox.status().sender === "worker"');
  });
  afterAll(() => site?.stop());

  it('the worker keeps a plain fetch, the panel shows it, and the server has it once when it is back', async () => {
    await site.stop();
    if (opensOffline) await engine.reload();
    await engine.fill('input', 'Rung missing');
    await engine.press('Enter');
    await engine.waitFor('window.outbox.getSnapshot().counts.pending === 1');
    await engine.waitFor('document.querySelector("outbox-panel").shadowRoot?.textContent.includes("POST /api/notes")');

    await site.start();
    await engine.evaluate(async () => {
      const { outbox } = window as unknown as Page;
      await outbox.flush({ force: true });
      await outbox.whenIdle();
      return true;
    });
    expect(site.notes).toMatchObject([{ text: 'Rung missing' }]);
  });
});
