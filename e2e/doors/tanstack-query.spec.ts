import type { Outbox } from 'holdfast/page';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../browsers/engine.ts';
import { findBrowser } from '../browsers/find-browsers.ts';
import { launch } from '../browsers/launch.ts';
import { built } from './built.ts';
import { notesSite, type NotesSite } from './site.ts';

type Page = Window & { readonly example: { readonly outbox: Outbox } };

describe.skipIf(findBrowser('chromium') === undefined)('TanStack Query', () => {
  let site: NotesSite;
  let engine: Engine;

  beforeAll(async () => {
    site = await notesSite(await built('build.mjs', ['tanstack-query']));
    engine = await launch('chromium');
    await engine.open(site.url);
    await engine.waitFor('document.querySelector("p")?.textContent === "0 in all"');
  });
  afterAll(async () => {
    await engine?.close();
    await site?.stop();
  });

  const rows = (): Promise<unknown> =>
    engine.evaluate(() =>
      [...document.querySelectorAll('li')].map((row) => `${row.dataset.state}: ${row.textContent}`),
    );
  async function save(text: string): Promise<void> {
    await engine.fill('input', text);
    await engine.press('Enter');
  }

  it('a mutation made without a network survives a reload, and all queries are fetched again when it is through', async () => {
    site.down(true);
    // As in a tunnel: TanStack Query itself would now pause a mutation, and lose it.
    await engine.setOffline?.(true);
    await save('Rung missing');
    await engine.waitFor('document.querySelector("output").textContent === "Saved on this device"');
    await engine.setOffline?.(false);
    await engine.reload();
    await engine.waitFor('document.querySelector("li[data-state=saved]")');

    site.down(false);
    await engine.evaluate(() => (window as unknown as Page).example.outbox.flush({ force: true }));
    await engine.waitFor('document.querySelector("p").textContent === "1 in all"');
    // What is under way is drawn until the list has it, too.
    await engine.waitFor('document.querySelector("li[data-state=confirmed]")?.textContent === "Rung missing"');
    expect(await rows()).toEqual(['confirmed: Rung missing']);
    expect(site.notes).toHaveLength(1);
  });

  it('a mutation that the server refuses is an error of the mutation', async () => {
    await save('');
    await engine.waitFor('document.querySelector("output").textContent === "The server refused it (422)."');
  });
});
