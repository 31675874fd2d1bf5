import { fileURLToPath } from 'node:url';
import type { Engine, Tab } from '../browsers/engine.ts';
import { buildScript } from '../identity/build-app.ts';
import { startSite, type Site } from '../peer/site.ts';
import type { PlatformApp } from './app/page.ts';

export type Page = Window & { readonly app: PlatformApp };

const root = fileURLToPath(new URL('./app/', import.meta.url));
const html =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Platform</title><link rel="icon" href="data:,">' +
  '</head><body><script type="module" src="/page.js"></script></body></html>';

let built: Promise<readonly (readonly [path: string, content: string])[]> | undefined;

async function files(): Promise<readonly (readonly [path: string, content: string])[]> {
  return [['/', html], ...(await buildScript(root, 'page', 'es')), ...(await buildScript(root, 'worker', 'iife'))];
}

/** The app of this folder, built once, at an origin of its own: it shares neither storage nor workers with another. */
export async function platformSite(): Promise<Site> {
  // A page that may not be stored does not go into the back/forward cache either.
  return startSite(await (built ??= files()), { 'cache-control': 'no-cache' });
}

/** A tab of the app, once somebody is there who sends. */
export async function openTab(engine: Engine, site: Site, query: string): Promise<Tab> {
  const tab = await engine.newTab();
  await tab.open(`${site.url}/?${query}`);
  if (!query.includes('alone')) await tab.waitFor('navigator.serviceWorker.controller !== null');
  const sender = /alone|ears-in-common/.test(query) ? 'page' : 'worker';
  await tab.waitFor(`window.app?.outbox.getSnapshot().ready && window.app.outbox.status().sender === "${sender}"`);
  return tab;
}

/** Writes through this tab. @returns the statuses the page was answered with */
export const write = (tab: Tab, run: string, texts: readonly string[]): Promise<readonly number[]> =>
  tab.evaluate(({ run, texts }) => (window as unknown as Page).app.write(run, texts), { run, texts });

/** Resolves once this tab's own snapshot says that nothing waits and this many are delivered. */
export const sees = (tab: Tab, delivered: number): Promise<unknown> =>
  tab.waitFor(
    `(({ counts }) => counts.pending + counts.sending === 0 && counts.delivered === ${delivered})(window.app.outbox.getSnapshot())`,
    undefined,
    90_000,
  );

/** What arrived in this run, as texts, in alphabetical order: each is there as often as it was sent. */
export async function textsOf(site: Site, run: string): Promise<readonly string[]> {
  const records = await site.arrived(run);
  return records.map(({ bodyBase64 }) => Buffer.from(bodyBase64 ?? '', 'base64').toString()).sort();
}
