import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, Tab } from '../browsers/engine.ts';
import { enginesUnderTest } from '../browsers/engines-under-test.ts';
import type { Site } from '../peer/site.ts';
import type { CaptureApp } from './app/page.ts';
import { headerOf, openCapture, serveCapture } from './app-server.ts';

type Page = Window & { readonly app: CaptureApp };

const sizeBytes = 1_900_000;
const wholeSha256 = createHash('sha256')
  .update(Uint8Array.from({ length: sizeBytes }, (_, at) => (at * 31) % 251))
  .digest('hex');

describe.each(enginesUnderTest)('the body of a kept request, in $name', ({ name, installed }) => {
  let served: Site;
  let engine: Engine;
  let alone: Tab;

  beforeAll(async () => {
    if (!installed) return;
    served = await serveCapture();
    engine = await openCapture(name, served);
    alone = await engine.newTab();
    // The same server by another name is another origin, and has no worker.
    await alone.open(`${served.url.replace('localhost', '127.0.0.1')}/?alone`);
    await alone.waitFor('window.app !== undefined');
  });
  afterAll(async () => {
    await engine?.close();
    await served?.stop();
  });

  const ways = [
    { by: 'fetch', title: 'the worker' },
    { by: 'outbox', title: 'the wrapper beside the worker' },
    { by: 'outbox', title: 'the wrapper alone' },
  ] as const;
  const tabOf = (title: string): Tab => (title.endsWith('alone') ? alone : engine);
  const runOf = (title: string, what: string): string => `${name}-${what}-${title.replaceAll(' ', '-')}`;

  it.skipIf(!installed).each(ways)(
    'is whole in $title although the connection broke while it was being sent',
    async ({ by, title }) => {
      const run = runOf(title, 'midway');
      // Chromium tries a connection that it had before, and a fresh one after it, before it tells anybody.
      const url = `/__echo/kept?run=${run}&mode=${'reset-midway,'.repeat(6)}ok`;
      const end = await tabOf(title).evaluate(
        async ({ by, url, sizeBytes }: { by: 'fetch' | 'outbox'; url: string; sizeBytes: number }) => {
          const { app } = window as unknown as Page;
          const body = new Blob([Uint8Array.from({ length: sizeBytes }, (_, at) => (at * 31) % 251)]);
          const heard = await app.hear((by === 'fetch' ? fetch : app.outbox.fetch)(url, { method: 'POST', body }));
          return [heard.status, heard.entry && (await app.finish(heard.entry))];
        },
        { by, url, sizeBytes },
      );
      expect(end).toEqual([202, 'delivered']);
      expect((await served.arrived(run)).map(({ lengthBytes, sha256 }) => [lengthBytes, sha256])).toEqual([
        [sizeBytes, wholeSha256],
      ]);
    },
  );

  it.skipIf(!installed).each(ways)(
    'is used up in $title by nobody: not by the first attempt, a hook, or a person who looks at it',
    async ({ by, title }) => {
      const run = runOf(title, 'used');
      const seen = await tabOf(title).evaluate(
        async ({ by, url }: { by: 'fetch' | 'outbox'; url: string }) => {
          const { app } = window as unknown as Page;
          const send = by === 'fetch' ? fetch : app.outbox.fetch;
          const request = new Request(`${url}&mode=reset-after,reset-after,ok`, { method: 'POST', body: 'as it was' });
          const heard = await app.hear(send(request));
          const looks: (string | undefined)[] = [];
          for (let look = 0; look < 2; look += 1)
            looks.push(await (await app.outbox.content(heard.entry ?? ''))?.body?.text());
          const end = await app.finish(heard.entry ?? '');
          // The hook of this route reads the answer; so does the page.
          const live = await app.hear(send(`${url}-live`, { method: 'POST', body: '{}' }));
          return {
            status: heard.status,
            looks,
            end,
            live: (JSON.parse(live.body) as { lengthBytes: number }).lengthBytes,
          };
        },
        { by, url: `/__echo/read?run=${run}` },
      );
      expect(seen).toEqual({ status: 202, looks: ['as it was', 'as it was'], end: 'delivered', live: 2 });
      const attempts = await served.arrived(run);
      expect(attempts.map(({ bodyBase64 }) => Buffer.from(bodyBase64 ?? '', 'base64').toString())).toEqual(
        Array.from({ length: 3 }, () => 'as it was'),
      );
    },
  );

  it.skipIf(!installed).each(ways)(
    'is the form with its file that the app put into a Request itself, in $title, or refused when it would be kept',
    async ({ by, title }) => {
      const tab = tabOf(title);
      const run = runOf(title, 'form');
      const send = (query: string) =>
        tab.evaluate(
          async ({ by, url }: { by: 'fetch' | 'outbox'; url: string }) => {
            const { app } = window as unknown as Page;
            const form = new FormData();
            form.append('note', 'Hinge');
            form.append('photo', new File([Uint8Array.from({ length: 9_000 }, (_, at) => at % 256)], 'hinge.png'));
            const request = new Request(url, { method: 'POST', body: form });
            const heard = await app.hear(by === 'fetch' ? fetch(request) : app.outbox.fetch(request));
            return { ...heard, end: heard.entry && (await app.finish(heard.entry)) };
          },
          { by, url: `/__echo/kept?run=${run}${query}` },
        );
      const bodies = async (query: string) =>
        (await served.arrived(`${run}${query}`)).map(({ bodyBase64 = '', ...record }) => {
          const body = Buffer.from(bodyBase64, 'base64').toString('latin1');
          const boundary = /boundary=(.+)/.exec(headerOf(record, 'content-type') ?? '')?.[1] ?? '';
          return {
            sha256: record.sha256,
            parts: body.startsWith(`--${boundary}\r\n`) ? body.split(`--${boundary}`).length : 0,
            file: body.includes(
              Buffer.from(Uint8Array.from({ length: 9_000 }, (_, at) => at % 256)).toString('latin1'),
            ),
          };
        });

      expect((await send('-live')).status).toBe(200);
      expect(await bodies('-live')).toMatchObject([{ parts: 4, file: true }]);

      const kept = await send('-kept&mode=reset-after,reset-after,ok');
      const arrived = await bodies('-kept');
      // A page of WebKit cannot read such a Request (its worker can): it says so, and nothing half is kept.
      if (name === 'webkit' && title.endsWith('alone')) {
        expect(kept).toMatchObject({ status: 0, entry: null, error: { name: 'TypeError', code: 'not-storable' } });
        expect(arrived).toHaveLength(1);
      } else {
        expect(kept).toMatchObject({ status: 202, end: 'delivered' });
        expect(arrived).toHaveLength(3);
      }
      expect(new Set(arrived.map(({ sha256 }) => sha256)).size).toBe(1);
      expect(arrived).toMatchObject(arrived.map(() => ({ parts: 4, file: true })));
    },
  );
});
