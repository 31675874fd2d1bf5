import { fileURLToPath } from 'node:url';
import type { Engine, EngineName } from '../browsers/engine.ts';
import { launch } from '../browsers/launch.ts';
import { buildScript } from '../identity/build-app.ts';
import { startSite, type Site } from '../peer/site.ts';
import type { RequestRecord } from '../peer/request-record.ts';

const root = fileURLToPath(new URL('./app/', import.meta.url));
const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`;

let built: Promise<readonly (readonly [string, string])[]> | undefined;

async function files(): Promise<readonly (readonly [path: string, content: string])[]> {
  const scripts = [...(await buildScript(root, 'page', 'es')), ...(await buildScript(root, 'worker', 'iife'))];
  const form =
    '<form method="post" enctype="multipart/form-data"><input name="note" value="Hinge ünd gate">' +
    '<input name="photo" type="file"></form><script src="/submit.js"></script>';
  return [
    ['/', page('Capture', '<input id="file" type="file"><script type="module" src="/page.js"></script>')],
    ['/form', page('Form', form)],
    ['/submit.js', 'function post(action) { document.forms[0].action = action; document.forms[0].submit(); }'],
    ['/saved', page('Saved', 'Saved on this device')],
    ...scripts,
  ];
}

/** The app that the specs of this folder drive, built once, on a port of its own. */
export async function serveCapture(): Promise<Site> {
  return startSite(await (built ??= files()));
}

export const workerSends =
  'navigator.serviceWorker.controller !== null && window.app?.outbox.status().sender === "worker"';

/** A browser with the app open and its worker in charge. */
export async function openCapture(name: EngineName, served: Site, query = ''): Promise<Engine> {
  const engine = await launch(name);
  await engine.open(`${served.url}/${query}`);
  await engine.waitFor(workerSends);
  return engine;
}

export const headerOf = ({ headers }: RequestRecord, name: string): string | undefined =>
  headers.find(([other]) => other.toLowerCase() === name)?.[1];
