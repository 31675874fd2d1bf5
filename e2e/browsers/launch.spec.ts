import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enginesUnderTest } from './engines-under-test.ts';
import { findBrowser } from './find-browsers.ts';
import { launch } from './launch.ts';

const page = `<!doctype html><title>Page</title>
  <form-in-shadow></form-in-shadow>
  <script>
    customElements.define('form-in-shadow', class extends HTMLElement {
      constructor() {
        super();
        this.attachShadow({ mode: 'open' }).innerHTML =
          '<input id="name"><input id="photos" type="file" multiple><button id="save">Save</button>';
        this.shadowRoot.querySelector('#save').onclick = (event) => { window.saved = {
          isTrusted: event.isTrusted,
          name: this.shadowRoot.querySelector('#name').value,
          photos: [...this.shadowRoot.querySelector('#photos').files].map((file) => [file.name, file.size]),
        } };
      }
    });
    navigator.serviceWorker.register('/worker.js');
  </script>`;
const worker = `
  const startedAt = Math.random();
  self.addEventListener('install', () => self.skipWaiting());
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener('fetch', (event) => {
    if (event.request.url.endsWith('/run')) event.respondWith(new Response(String(startedAt)));
  });`;

const controlled = () => navigator.serviceWorker.controller !== null;
const runOfWorker = () => fetch('/run').then((response) => response.text());
const reaches = () =>
  fetch('/there').then(
    () => true,
    () => false,
  );

describe.each(enginesUnderTest)('$name', ({ name, installed }) => {
  let server: Server;
  let url: string;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'holdfast-launch-'));
    server = createServer((request, response) => {
      const script = request.url === '/worker.js';
      response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html').end(script ? worker : page);
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    url = `http://localhost:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.skipIf(!installed)('takes real input, through shadow roots too', async () => {
    const photo = join(folder, 'photo.jpg');
    writeFileSync(photo, 'not a photo');
    const engine = await launch(name);
    try {
      await engine.open(url);
      await engine.fill('#name', 'old');
      await engine.fill('#name', 'Ada Löv');
      await engine.attach('#photos', [photo]);
      await engine.click('#save');
      expect(await engine.evaluate('window.saved')).toEqual({
        isTrusted: true,
        name: 'Ada Löv',
        photos: [['photo.jpg', 'not a photo'.length]],
      });
      await engine.press('Tab');
      expect((await engine.screenshot()).subarray(1, 4).toString()).toBe('PNG');
    } finally {
      await engine.close();
    }
  });

  it.skipIf(!installed)('gives two tabs one storage and answers each by itself', async () => {
    const engine = await launch(name);
    try {
      await engine.open(url);
      const other = await engine.newTab();
      await other.open(`${url}?other`);
      await engine.evaluate((text) => localStorage.setItem('shared', text), 'yes');
      // Tabs are processes of their own: one sees what another wrote a moment later.
      expect(await other.waitFor(() => localStorage.getItem('shared'))).toBe('yes');
      expect(await Promise.all([engine.url(), other.url()])).toEqual([url, `${url}?other`]);
      await other.close();
      expect(await engine.evaluate((n: number) => Promise.resolve(n + 1), 1)).toBe(2);
      await expect(engine.evaluate(() => Promise.reject(new Error('from the page')))).rejects.toThrow('from the page');
    } finally {
      await engine.close();
    }
  });

  it.skipIf(!installed)(
    'keeps what was committed when it is killed, and starts again in the same profile',
    async () => {
      const profile = join(folder, name);
      let engine = await launch(name, { profile });
      try {
        await engine.open(url);
        await engine.waitFor(controlled);
        await engine.evaluate(async () => {
          const opened = indexedDB.open('kept', 1);
          opened.onupgradeneeded = () => opened.result.createObjectStore('rows');
          await new Promise((resolve) => (opened.onsuccess = resolve));
          const tx = opened.result.transaction('rows', 'readwrite', { durability: 'strict' });
          tx.objectStore('rows').put(new Blob(['bytes']), 'photo');
          await new Promise((resolve) => (tx.oncomplete = resolve));
        });
        await engine.kill();
        await expect(engine.evaluate('1')).rejects.toThrow();

        engine = await launch(name, { profile });
        await engine.open(url);
        expect(await engine.evaluate(controlled)).toBe(true);
        const kept = await engine.evaluate(async () => {
          const opened = indexedDB.open('kept', 1);
          await new Promise((resolve) => (opened.onsuccess = resolve));
          const read = opened.result.transaction('rows').objectStore('rows').get('photo') as IDBRequest<Blob>;
          await new Promise((resolve) => (read.onsuccess = resolve));
          return read.result.text();
        });
        expect(kept).toBe('bytes');
      } finally {
        await engine.close();
      }
    },
  );

  it.skipIf(!installed)('does what it says it can: cut the network, stop its workers', async () => {
    const engine = await launch(name, { overWorkers: true });
    try {
      await engine.open(url);
      await engine.waitFor(controlled);
      if (engine.setOffline) {
        await engine.setOffline(true);
        expect(await engine.evaluate(() => navigator.onLine)).toBe(false);
        expect(await engine.evaluate(reaches)).toBe(false);
        await engine.setOffline(false);
        expect(await engine.evaluate(reaches)).toBe(true);
      }
      if (engine.stopWorkers) {
        const before = await engine.evaluate(runOfWorker);
        expect(await engine.evaluate(runOfWorker)).toBe(before);
        await engine.stopWorkers();
        expect(await engine.evaluate(runOfWorker)).not.toBe(before);
      }
      const can = name !== 'webkit';
      expect([engine.setOffline !== undefined, engine.stopWorkers !== undefined]).toEqual([can, can]);
    } finally {
      await engine.close();
    }
  });
});

describe('firefox over its own remote control', () => {
  it.skipIf(!enginesUnderTest.some(({ name }) => name === 'firefox') || findBrowser('firefox')?.from !== 'system')(
    'takes input, opens tabs and survives a kill alike',
    async () => {
      const profile = mkdtempSync(join(tmpdir(), 'holdfast-marionette-'));
      const html =
        'data:text/html,<input id="name"><input id="photo" type="file"><button onclick="this.id=`hit`">Hit</button>';
      let engine = await launch('firefox', { profile, overWorkers: true });
      try {
        await engine.open(html);
        await engine.fill('#name', 'Ada');
        await engine.attach('#photo', [join(profile, 'user.js')]);
        await engine.click('button');
        await engine.press('Tab');
        expect(
          await engine.evaluate(
            '[document.querySelector("#name").value, document.querySelector("#photo").files[0].name, document.querySelector("#hit") !== null]',
          ),
        ).toEqual(['Ada', 'user.js', true]);
        expect((await engine.screenshot()).subarray(1, 4).toString()).toBe('PNG');
        const other = await engine.newTab();
        await other.open('data:text/html,other');
        expect([await other.evaluate('document.body.textContent'), decodeURI(await engine.url())]).toEqual([
          'other',
          html,
        ]);
        await engine.kill();
        await expect(engine.evaluate('1')).rejects.toThrow('gone');
        engine = await launch('firefox', { profile, overWorkers: true });
        expect(await engine.evaluate('1 + 1')).toBe(2);
      } finally {
        await engine.close();
        rmSync(profile, { recursive: true, force: true });
      }
    },
  );
});
