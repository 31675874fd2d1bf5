import type { Outbox } from 'holdfast/page';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../browsers/engine.ts';
import { findBrowser } from '../browsers/find-browsers.ts';
import { launch } from '../browsers/launch.ts';
import { built } from './built.ts';
import { notesSite, type NotesSite } from './site.ts';

type Page = Window & {
  readonly complaints: readonly string[];
  readonly example: { readonly outbox: Outbox; unmount(): void; listening(): number };
};

/** Rows of the list as people see them: text and state. */
const rows = (): string[][] =>
  [...document.querySelectorAll('li')].map((row) => [row.dataset.state ?? '', row.textContent?.trim() ?? '']);
const row = (state: string, text: string) =>
  `[...document.querySelectorAll('li[data-state=${state}]')].some((row) => row.textContent.includes('${text}'))`;

const names = ['react', 'vue', 'svelte', 'solid'];
const installed = findBrowser('chromium') !== undefined;
let engine: Engine;
let examples: ReadonlyMap<string, ReadonlyMap<string, string>>;
beforeAll(async () => {
  if (!installed) return;
  engine = await launch('chromium');
  const files = names.map(async (name) => [name, await built('build.mjs', [name], 'development')] as const);
  examples = new Map(await Promise.all(files));
});
afterAll(() => engine?.close());

describe.skipIf(!installed).each(names)('%s', (name) => {
  let site: NotesSite;
  let html: string;

  beforeAll(async () => {
    const files = examples.get(name) ?? new Map<string, string>();
    html = files.get('/index.html') ?? '';
    site = await notesSite(files);
    await engine.open(site.url);
    await engine.waitFor('window.example?.outbox.getSnapshot().ready');
  });
  afterAll(() => site?.stop());

  it('is rendered on a server, and taken over by the page without a complaint', async () => {
    expect(html.replaceAll(/<!--.*?-->/g, '')).toMatch(/role="status"[^>]*>0 waiting/);
    expect(await engine.evaluate(() => (window as unknown as Page).complaints)).toEqual([]);
  });

  it('shows an offline write as saved, also after a reload, and as confirmed once the server has it', async () => {
    site.down(true);
    await engine.fill('input', 'Rung missing');
    await engine.press('Enter');
    await engine.waitFor(row('saved', 'Rung missing (Saved on this device)'));
    expect(await engine.evaluate('document.querySelector("[role=status]").textContent')).toBe('1 waiting');
    await engine.click('li button');
    await engine.waitFor('/^Note: (pending|sending), tried [1-9]/.test(document.querySelector("output").textContent)');

    await engine.reload();
    await engine.waitFor(row('saved', 'Rung missing'));
    expect(await engine.evaluate(rows)).toHaveLength(1);

    site.down(false);
    await engine.evaluate(() => (window as unknown as Page).example.outbox.flush({ force: true }));
    await engine.waitFor(row('confirmed', 'Rung missing'));
    await engine.waitFor('document.querySelector("[role=status]").textContent === "0 waiting"');
    expect(await engine.evaluate(rows)).toEqual([['confirmed', 'Rung missing']]);
    expect(site.notes).toMatchObject([{ text: 'Rung missing' }]);
  });

  it('shows a live write once, and what the server refused until it is removed', async () => {
    await engine.fill('input', 'Rope frayed');
    await engine.press('Enter');
    await engine.waitFor(row('confirmed', 'Rope frayed'));
    await engine.evaluate('document.querySelector("input").required = false');
    await engine.fill('input', '');
    await engine.press('Enter');
    await engine.waitFor(row('refused', '(Refused)'));
    await engine.click('li[data-state=refused] button');
    await engine.waitFor('document.querySelector("li[data-state=refused]") === null');
    expect(await engine.evaluate(rows)).toEqual([
      ['confirmed', 'Rung missing'],
      ['confirmed', 'Rope frayed'],
    ]);
  });

  it('leaves no listener behind when it is unmounted', async () => {
    const { before, after } = await engine.evaluate(() => {
      const { example } = window as unknown as Page;
      const before = example.listening();
      example.unmount();
      return new Promise<{ before: number; after: number }>((resolve) =>
        // Svelte and React clean up in a later turn.
        setTimeout(() => resolve({ before, after: example.listening() })),
      );
    });
    expect(before).toBeGreaterThan(0);
    expect(after).toBe(0);
    expect(await engine.evaluate(() => (window as unknown as Page).complaints)).toEqual([]);
  });
});
