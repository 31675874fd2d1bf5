import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestRecord } from './request-record.ts';
import { type RunningPeer, startPeer } from './start-peer.ts';

describe('the peer', () => {
  let peer: RunningPeer;
  beforeAll(async () => {
    peer = await startPeer();
  });
  afterAll(() => peer.stop());

  const ask = (query: string, init?: RequestInit) => fetch(`${peer.url}/__echo?${query}`, init);
  const ledger = async (run: string) =>
    (await (await fetch(`${peer.url}/__echo/ledger?run=${run}`)).json()) as RequestRecord[];

  it('tells what it received, by digest when it is large', async () => {
    const body = randomBytes(100_000);
    const seen = (await (await ask('x=1', { method: 'POST', body })).json()) as RequestRecord;
    expect(seen).toMatchObject({ method: 'POST', url: '/__echo?x=1', lengthBytes: body.length });
    expect(seen.sha256).toBe(createHash('sha256').update(body).digest('hex'));
    expect(seen.bodyBase64).toBeUndefined();
  });

  it('answers with the status and the headers asked for', async () => {
    const response = await ask('status=503&header=Retry-After:%203&header=X-More:a:b');
    expect([response.status, response.headers.get('retry-after'), response.headers.get('x-more')]).toEqual([
      503,
      '3',
      'a:b',
    ]);
    expect(await (await ask('status=204')).text()).toBe('');
  });

  it.each([
    ['reset-before', 0],
    ['reset-midway', 0],
    ['reset-after', 1],
  ])('with %s leaves no answer, and %i in the ledger', async (mode, received) => {
    const run = `run-${mode}`;
    await expect(ask(`mode=${mode}&run=${run}`, { method: 'POST', body: 'x' })).rejects.toThrow(TypeError);
    expect((await ledger(run)).map(({ method }) => method)).toEqual(Array.from({ length: received }, () => 'POST'));
  });

  it('takes the request and never answers, until it is stopped', async () => {
    const other = await startPeer();
    const run = `${other.url}/__echo?mode=hang&run=h`;
    const answer = fetch(run, { method: 'POST', body: 'x' });
    const seen = async () => ((await (await fetch(`${other.url}/__echo/ledger?run=h`)).json()) as unknown[]).length;
    await expect.poll(seen).toBe(1);
    await other.stop();
    await expect(answer).rejects.toThrow(TypeError);
    await expect(fetch(run)).rejects.toThrow(TypeError);
  });

  it('behaves in a run as the list says, and then as its last word', async () => {
    const query = 'run=list&mode=reset-after,captive,ok';
    await expect(ask(query)).rejects.toThrow(TypeError);
    expect(await (await ask(query)).text()).toContain('Welcome');
    for (let nth = 0; nth < 2; nth += 1) expect(await (await ask(query)).json()).toMatchObject({ method: 'GET' });
  });

  it('has a document that is changed only from the version its editor saw', async () => {
    const put = (headers: Record<string, string>) => ask('run=doc&mode=versioned', { method: 'PUT', headers });
    const first = await put({ 'if-match': '"1"' });
    expect([first.status, first.headers.get('etag')]).toEqual([200, '"2"']);
    expect((await put({ 'if-match': '"1"' })).status).toBe(412);
    expect((await put({})).headers.get('etag')).toBe('"3"');
  });

  it('shows the page of a captive portal, and cuts an answer short', async () => {
    const portal = await ask('mode=captive');
    expect([portal.status, portal.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const cut = await ask('mode=truncate');
    await expect(cut.text()).rejects.toThrow(TypeError);
  });

  it('allows other origins only when asked to', async () => {
    const preflight = (query: string) =>
      ask(query, {
        method: 'OPTIONS',
        headers: { origin: 'http://a.example', 'access-control-request-headers': 'x-a' },
      });
    expect((await preflight('')).headers.get('access-control-allow-origin')).toBe(null);
    const allowed = (await preflight('cors=1')).headers;
    expect([allowed.get('access-control-allow-origin'), allowed.get('access-control-allow-headers')]).toEqual([
      'http://a.example',
      'x-a',
    ]);
  });

  it('comes back on the same port', async () => {
    const first = await startPeer();
    await first.stop();
    const second = await startPeer(first.port);
    expect((await fetch(`${first.url}/__echo`)).status).toBe(200);
    await second.stop();
  });
});
