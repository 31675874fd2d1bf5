import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../browsers/engine.ts';
import { enginesUnderTest } from '../browsers/engines-under-test.ts';
import type { Site } from '../peer/site.ts';
import type { RequestRecord } from '../peer/request-record.ts';
import { type RunningPeer, startPeer } from '../peer/start-peer.ts';
import type { CaptureApp, Heard } from './app/page.ts';
import { headerOf, openCapture, serveCapture, workerSends } from './app-server.ts';

type Page = Window & { readonly app: CaptureApp };

/** What waits in the outbox for addresses with this in them. */
const waitingFor = (part: string): string =>
  `window.app.outbox.list().then((all) => all.filter((one) => one.url.includes("${part}") && one.state !== "delivered").length)`;

describe.each(enginesUnderTest)('in $name', ({ name, installed }) => {
  let served: Site;
  let friend: RunningPeer;
  let stranger: RunningPeer;
  let engine: Engine;
  let folder: string;

  beforeAll(async () => {
    if (!installed) return;
    folder = mkdtempSync(join(tmpdir(), 'holdfast-files-'));
    [served, friend, stranger] = [await serveCapture(), await startPeer(), await startPeer()];
    engine = await openCapture(name, served, `?friend=${friend.url}`);
  });
  afterAll(async () => {
    await engine?.close();
    for (const server of [served, friend, stranger]) await server?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });
  const promise = it.skipIf(!installed);

  const arrived = async (peer: RunningPeer, run: string): Promise<RequestRecord[]> =>
    (await (await fetch(`${peer.url}/__echo/ledger?run=${run}`)).json()) as RequestRecord[];

  promise('what no route matches is as without a worker: upload progress, streamed answers, ranges', async () => {
    const seen = await engine.evaluate(async (run: string) => {
      const steps: number[] = [];
      const sent = await new Promise<number>((resolve) => {
        const request = new XMLHttpRequest();
        request.upload.onprogress = ({ loaded }) => steps.push(loaded);
        request.onload = () => resolve(request.status);
        request.open('POST', `/__echo/plain?run=${run}`);
        request.send(new Uint8Array(3_000_000));
      });
      const reader = (await fetch(`/__echo/plain?mode=drip&run=${run}-drip`)).body!.getReader();
      const first = (await reader.read()).value?.length ?? 0;
      await fetch(`/__echo/release?run=${run}-drip`);
      let rest = 0;
      for (let part = await reader.read(); !part.done; part = await reader.read()) rest += part.value.length;
      await fetch(`/__echo/plain?run=${run}-range`, { headers: { range: 'bytes=5-9' } });
      return { status: sent, progress: steps.length, first, rest };
    }, `${name}-untouched`);
    expect(seen).toMatchObject({ status: 200, first: 2048, rest: 8 });
    // With a worker that answers there is none at all.
    expect(seen.progress).toBeGreaterThan(0);
    const [upload] = await served.arrived(`${name}-untouched`);
    expect(upload?.lengthBytes).toBe(3_000_000);
    expect(upload && headerOf(upload, 'idempotency-key')).toBeUndefined();
    const [range] = await served.arrived(`${name}-untouched-range`);
    expect(range && headerOf(range, 'range')).toBe('bytes=5-9');
  });

  promise('ky, ofetch, axios and a TanStack mutation work with the wrapper as with fetch, and know 202', async () => {
    const heard = await engine.evaluate(async (run: string) => {
      const { app } = window as unknown as Page;
      const told: Record<string, unknown> = {};
      for (const [title, { write, refusal }] of Object.entries(app.libraries)) {
        const url = (status: string) =>
          `/__echo/kept?run=${run}-${title.slice(0, 2)}-${status.length}&status=${status}`;
        const live = await write(app.outbox.fetch, url('200'), { n: 1 });
        const kept = await write(app.outbox.fetch, url('500,200'), { n: 2 });
        const no = await write(app.outbox.fetch, `${url('422')}0`.replace('4220', '422'), { n: 3 }).catch(
          (error: Error) => error.name,
        );
        const { id, state } = kept.data as { id: string; state: string };
        told[title] = {
          live: [live.status, (live.data as { lengthBytes: number }).lengthBytes],
          kept: [kept.status, state],
          no: no === refusal,
          end: await app.finish(id),
        };
      }
      return told;
    }, `${name}-libraries`);
    const wanted = { live: [200, 7], kept: [202, 'queued'], no: true, end: 'delivered' };
    expect(heard).toEqual({ ky: wanted, ofetch: wanted, axios: wanted, 'TanStack Query': wanted });
    const attempts = await served.arrived(`${name}-libraries-ky-7`);
    expect(attempts.map(({ sha256 }) => sha256)).toEqual([attempts[0]?.sha256, attempts[0]?.sha256]);
  });

  promise('an abort by the user keeps nothing, also where the worker has the request', async () => {
    const error = await engine.evaluate(async (run: string) => {
      const { app } = window as unknown as Page;
      const stop = new AbortController();
      const url = `/__echo/kept?run=${run}&mode=hang`;
      const answer = app.hear(app.outbox.fetch(url, { method: 'POST', body: 'x', signal: stop.signal }));
      const there = async () => ((await (await fetch(`/__echo/ledger?run=${run}`)).json()) as unknown[]).length > 0;
      while (!(await there())) await new Promise((resolve) => setTimeout(resolve, 30));
      stop.abort();
      return (await answer).error;
    }, `${name}-abort`);
    expect(error).toEqual({ name: 'AbortError' });
    // Cutting the line ends whatever the worker may still have under way; it must not be kept then.
    await served.stop();
    await served.start();
    const later = await engine.evaluate(async (run: string) => {
      const { app } = window as unknown as Page;
      const after = await app.send('JSON', 'outbox', `/__echo/kept?run=${run}-after`);
      return {
        status: after.status,
        waiting: (await app.outbox.list()).filter(({ url }) => url.endsWith(`run=${run}&mode=hang`)),
      };
    }, `${name}-abort`);
    expect(later).toEqual({ status: 200, waiting: [] });
  });

  promise('a tab that is closed is no abort: its request is kept and sent', async () => {
    const tab = await engine.newTab();
    await tab.open(`${served.url}/?friend=${friend.url}`);
    await tab.waitFor(workerSends);
    const run = `${name}-closed`;
    await tab.evaluate((run: string) => {
      void (window as unknown as Page).app.send('JSON', 'outbox', `/__echo/kept?run=${run}&mode=hang`);
      return true;
    }, run);
    while ((await served.arrived(run)).length === 0) await new Promise((resolve) => setTimeout(resolve, 30));
    await tab.close();
    await served.stop();
    await engine.waitFor(`${waitingFor(run)}.then((count) => count === 1)`);
    await served.start();
    await engine.evaluate(`window.app.outbox.list().then((all) => Promise.all(
      all.filter((one) => one.url.includes("${run}")).map((one) => window.app.outbox.cancel(one.id).catch(() => 0)))).then(() => 1)`);
  });

  promise('a file that cannot be read any more fails at once and visibly, and is not kept', async () => {
    const path = join(folder, `${name}.png`);
    writeFileSync(path, Buffer.alloc(300_000, 7));
    await engine.attach('#file', [path]);
    rmSync(path);
    const run = `${name}-unreadable`;
    const heard = await engine.evaluate(async (run: string) => {
      const { app } = window as unknown as Page;
      const file = (document.querySelector('#file') as HTMLInputElement).files![0]!;
      const form = new FormData();
      form.append('photo', file);
      const url = `/__echo/kept?run=${run}`;
      const answers: Heard[] = [];
      for (const body of [file, form]) answers.push(await app.hear(app.outbox.fetch(url, { method: 'POST', body })));
      return answers.map(({ status, error }) => [status, error?.name]);
    }, run);
    expect(heard).toEqual([
      [0, 'TypeError'],
      [0, 'TypeError'],
    ]);
    expect(await engine.evaluate(waitingFor(run))).toBe(0);
    expect(await served.arrived(run)).toEqual([]);
  });

  promise('another origin gets the key only where it was named, and is captured once beside the worker', async () => {
    const run = `${name}-elsewhere`;
    const ends = await engine.evaluate(
      async ({ run, origins }: { run: string; origins: readonly string[] }) => {
        const { app } = window as unknown as Page;
        const ends: unknown[] = [];
        for (const origin of origins)
          for (const by of ['fetch', 'outbox'] as const) {
            const heard = await app.send(
              'JSON',
              by,
              `${origin}/__echo/elsewhere?cors=1&run=${run}-${by}&status=500,200`,
            );
            ends.push([heard.status, await app.finish(heard.entry ?? '')]);
          }
        return ends;
      },
      { run, origins: [friend.url, stranger.url] },
    );
    expect(ends).toEqual(Array.from({ length: 4 }, () => [202, 'delivered']));
    const keys = async (peer: RunningPeer) =>
      (await Promise.all(['fetch', 'outbox'].map((by) => arrived(peer, `${run}-${by}`)))).map((attempts) =>
        attempts.map((one) => headerOf(one, 'idempotency-key') !== undefined),
      );
    expect(await keys(friend)).toEqual([
      [true, true],
      [true, true],
    ]);
    expect(await keys(stranger)).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  promise('a large upload that hangs holds up nothing outside of its lane', async () => {
    const status = await engine.evaluate(async (run: string) => {
      const { app } = window as unknown as Page;
      const stop = new AbortController();
      const large = app.hear(
        app.outbox.fetch(`/__echo/lane/photos?run=${run}&mode=hang`, {
          method: 'POST',
          body: new Blob([new Uint8Array(1_900_000)]),
          signal: stop.signal,
        }),
      );
      const small = await app.send('JSON', 'outbox', `/__echo/lane/urgent?run=${run}-small`);
      stop.abort();
      await large;
      return small.status;
    }, `${name}-large`);
    expect(status).toBe(200);
  });

  promise('a form posted as a navigation is saved offline, and its replay’s 303 is one delivery', async () => {
    const run = `${name}-form`;
    const tab = await engine.newTab();
    await tab.open(`${served.url}/form`);
    await tab.waitFor('navigator.serviceWorker.controller !== null');
    await served.stop();
    await tab.evaluate(`setTimeout(post, 0, "/__echo/form?run=${run}&status=303&header=Location:/saved"), true`);
    await tab.waitFor('document.title === "Saved"');
    expect(new URL(await tab.url()).pathname).toBe('/saved');
    await served.start();

    const end = await engine.evaluate(async (run: string) => {
      const { app } = window as unknown as Page;
      const [entry] = (await app.outbox.list()).filter(({ url }) => url.includes(run));
      return { end: await app.finish(entry?.id ?? ''), id: entry?.id };
    }, run);
    expect(end.end).toBe('delivered');
    const records = await served.arrived(run);
    expect(records.map(({ method }) => method)).toEqual(['POST']);
    const [record] = records;
    const body = Buffer.from(record?.bodyBase64 ?? '', 'base64').toString();
    expect(body).toContain('name="note"\r\n\r\nHinge ünd gate\r\n');
    const boundary = /boundary=(.+)/.exec((record && headerOf(record, 'content-type')) ?? '')?.[1];
    expect(body.startsWith(`--${boundary}\r\n`)).toBe(true);
    await tab.close();
  });
});
