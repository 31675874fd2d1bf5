import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, Tab } from '../browsers/engine.ts';
import { enginesUnderTest } from '../browsers/engines-under-test.ts';
import type { Site } from '../peer/site.ts';
import type { RequestRecord } from '../peer/request-record.ts';
import type { CaptureApp, Heard } from './app/page.ts';
import { headerOf, openCapture, serveCapture } from './app-server.ts';

type Page = Window & { readonly app: CaptureApp };

/** What an app decides about its request; the rest is the browser's own, and depends on who sends. */
const appsOwn = [
  ...['content-type', 'content-length', 'accept', 'accept-language', 'authorization', 'cookie', 'referer', 'origin'],
  ...['cache-control', 'pragma', 'if-match', 'x-a', 'x-b', 'x-empty'],
];
const boundary = /boundary=([^;]+)/;

/** How often the form of the cases has its boundary: before each of five parts, and at the end. */
const formBoundaries = 6;

/** A record without what two requests of one form cannot have in common: a boundary, whose length differs in Firefox. */
function comparable(record: RequestRecord): object {
  const multipart = boundary.exec(headerOf(record, 'content-type') ?? '')?.[1];
  const { method, lengthBytes, sha256 } = record;
  const names = multipart ? appsOwn.filter((name) => name !== 'content-length') : appsOwn;
  const headers = names.map((name) => [name, headerOf(record, name)?.replace(boundary, 'boundary=…')]);
  return {
    method,
    headers: Object.fromEntries(headers) as object,
    ...(multipart ? { lengthBytes: lengthBytes - formBoundaries * multipart.length } : { sha256 }),
  };
}

describe.each(enginesUnderTest)('a kept request, in $name', ({ name, installed }) => {
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

  it.skipIf(!installed).each(ways)(
    'leaves $title on every attempt byte for byte as it would have left without us',
    async ({ by, title }) => {
      const tab = title.endsWith('alone') ? alone : engine;
      const run = `${name}-${title.replaceAll(' ', '-')}`;
      const wrong: unknown[] = [];
      const ended = await tab.evaluate(
        async ({ by, run }: { by: 'fetch' | 'outbox'; run: string }) => {
          const { app } = window as unknown as Page;
          const one = async (title: string, nth: number) => {
            await app.send(title, 'fetch', `/__echo/plain?run=${run}-plain-${nth}`);
            const heard = await app.send(title, by, `/__echo/kept?run=${run}-${nth}&status=500,500,200`);
            return { title, status: heard.status, end: heard.entry && (await app.finish(heard.entry)) };
          };
          return Promise.all(app.cases.map(one));
        },
        { by, run },
      );
      for (const [nth, { title, status, end }] of ended.entries()) {
        const [plain] = await served.arrived(`${run}-plain-${nth}`);
        const attempts = await served.arrived(`${run}-${nth}`);
        const [live] = attempts;
        const key = live && headerOf(live, 'idempotency-key');
        const seen = {
          title,
          status,
          end,
          key: key !== undefined && /^".+"$/.test(key),
          attempts: attempts.length,
          // Every attempt is the first one again: bytes, key, and the boundary of a form.
          same: attempts.every((one) => one.sha256 === live?.sha256 && headerOf(one, 'idempotency-key') === key),
          types: [...new Set(attempts.map((one) => headerOf(one, 'content-type')))].length,
          record: attempts.map(comparable),
        };
        const record = plain && comparable(plain);
        const wanted = { title, status: 202, end: 'delivered', key: true, attempts: 3, same: true, types: 1 };
        try {
          expect(seen).toEqual({ ...wanted, record: [record, record, record] });
        } catch {
          wrong.push({ seen, record });
        }
      }
      expect(ended.length).toBeGreaterThan(15);
      expect(wrong).toEqual([]);
    },
  );

  it.skipIf(!installed)(
    'may be a stream up to the limit, as its bytes; above it is refused at once, with the reason',
    async () => {
      const tab = alone;
      const [kept, tooLong, text] = await tab.evaluate(async (run: string) => {
        const { app } = window as unknown as Page;
        const stream = (parts: readonly unknown[]): RequestInit =>
          ({
            method: 'POST',
            duplex: 'half',
            body: new ReadableStream({
              start(controller) {
                for (const part of parts) controller.enqueue(part);
                controller.close();
              },
            }),
          }) as RequestInit;
        const send = (parts: readonly unknown[]) =>
          app.hear(app.outbox.fetch(`/__echo/kept?run=${run}&status=500,200`, stream(parts)));
        const part = new Uint8Array(60_000).fill(65);
        const heard = [
          await send([part, part]),
          await send(Array.from({ length: 40 }, () => part)),
          await send(['text']),
        ];
        await app.finish(heard[0]?.entry ?? '');
        return heard;
      }, `${name}-stream`);
      expect(kept?.status).toBe(202);
      expect(tooLong?.error).toEqual({ name: 'TypeError', code: 'not-storable' });
      expect(text?.error?.name).toBe('TypeError');
      const arrived = await served.arrived(`${name}-stream`);
      expect(arrived.map(({ lengthBytes }) => lengthBytes)).toEqual([120_000, 120_000]);
    },
  );

  it.skipIf(!installed)(
    'is answered as its route says: the plain error, or the app’s own answer; never a made-up success',
    async () => {
      const heard = await engine.evaluate(async (run: string) => {
        const { app } = window as unknown as Page;
        const answers: Heard[] = [];
        for (const path of ['error', 'own'])
          for (const by of ['fetch', 'outbox'] as const)
            answers.push(await app.send('JSON', by, `/__echo/${path}?run=${run}&status=500`));
        const waiting = (await app.outbox.list({ state: 'pending' })).filter(({ url }) => url.includes(run));
        for (const { id } of waiting) await app.outbox.cancel(id).catch(() => undefined);
        return { answers, waiting: waiting.length };
      }, `${name}-reply`);
      expect(heard.answers.map(({ status, error }) => [status, error?.name])).toEqual([
        [0, 'TypeError'],
        [0, 'TypeError'],
        [209, undefined],
        [209, undefined],
      ]);
      expect(heard.waiting).toBe(4);
    },
  );
});
