import { request as httpRequest } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { gate } from './rig';
import type { Gate } from './rig';

/** What the routes of every adapter's example count and wait for. */
export interface Shop {
  /** How often any handler ran. */
  runs: number;
  /** `/slow` answers when this opens. */
  slow: Gate<void>;
  /** `/events` sends its second event when this opens. */
  events: Gate<void>;
  /** `/fails` throws while this is true. */
  broken: boolean;
}

/**
 * What a caller sees of every adapter. Each offers, by POST: `/orders` (201, `{ run, sku }` of a JSON body), `/echo` (the
 * bytes it got), `/empty` (204), `/fails`, `/slow`, `/large` (30,000 bytes, where at most 20,000 are kept), `/events` (two
 * server-sent events) and `/cookie` (sets one); and GET `/orders`. The principal is the field `x-user`.
 */
export function adapterContract(listen: (shop: Shop) => Promise<Server>): void {
  const shop: Shop = { runs: 0, slow: gate(), events: gate(), broken: false };
  let server: Server;
  let base: string;
  let keys = 0;

  beforeAll(async () => {
    server = await listen(shop);
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => closed(server));
  beforeEach(() => {
    keys += 1;
    shop.runs = 0;
  });

  const json = { 'content-type': 'application/json' };
  function post(path: string, body: BodyInit | null = '{"sku":"X1"}', headers: Record<string, string> = json) {
    return fetch(base + path, { method: 'POST', body, headers: { 'idempotency-key': `"k${keys}"`, ...headers } });
  }

  it('runs a request once and replays its answer', async () => {
    const first = await post('/orders');
    const second = await post('/orders', '{ "sku": "X1" }');
    expect([first.status, await first.json()]).toEqual([201, { run: 1, sku: 'X1' }]);
    expect([second.status, await second.json()]).toEqual([201, { run: 1, sku: 'X1' }]);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(Number(first.headers.get('idempotency-retention'))).toBeGreaterThan(0);
    expect((await post('/orders', '{"sku":"X2"}')).status).toBe(422);
    expect((await post('/orders?dryRun=1')).headers.get('idempotency-replayed')).toBeNull();
  });

  it('lets a request without a key, and a GET, pass', async () => {
    await fetch(`${base}/orders`, { method: 'POST', body: '{"sku":"X1"}', headers: json });
    const second = await fetch(`${base}/orders`, { method: 'POST', body: '{"sku":"X1"}', headers: json });
    expect(await second.json()).toEqual({ run: 2, sku: 'X1' });
    expect((await fetch(`${base}/orders`, { headers: { 'idempotency-key': 'k' } })).status).toBe(200);
  });

  it('keeps callers apart', async () => {
    await post('/orders', '{"sku":"X1"}', { ...json, 'x-user': 'ann' });
    await post('/orders', '{"sku":"X1"}', { ...json, 'x-user': 'bob' });
    expect(shop.runs).toBe(2);
  });

  it('refuses a malformed key and a key sent in two lines', async () => {
    const refused = await post('/orders', '{}', { ...json, 'idempotency-key': '"open' });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
    expect(await refused.json()).toMatchObject({ type: 'urn:holdfast:idempotency:key-malformed' });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': ['"a"', '"b"'] };
      httpRequest(`${base}/orders`, { method: 'POST', headers }, resolve).on('error', reject).end('{}');
    });
    answer.resume();
    expect(answer.statusCode).toBe(400);
    expect(shop.runs).toBe(0);
  });

  it('takes and gives back bytes as they are, sent whole or in pieces', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256).slice(0, 15_000);
    const type = { 'content-type': 'application/octet-stream' };
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 4_000) controller.enqueue(bytes.subarray(at, at + 4_000));
        controller.close();
      },
    });
    const headers = { ...type, 'idempotency-key': `"k${keys}"` };
    const first = await fetch(`${base}/echo`, { method: 'POST', body: pieces, headers, duplex: 'half' } as RequestInit);
    expect(new Uint8Array(await first.arrayBuffer())).toEqual(bytes);
    const second = await post('/echo', bytes as BodyInit, type);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(new Uint8Array(await second.arrayBuffer())).toEqual(bytes);
    expect(shop.runs).toBe(1);
  });

  it('replays an answer without a body', async () => {
    const [first, second] = [await post('/empty', null, {}), await post('/empty', null, {})];
    expect([first.status, second.status, await second.text(), shop.runs]).toEqual([204, 204, '', 1]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  it('frees the key of a handler that throws', async () => {
    shop.broken = true;
    expect((await post('/fails')).status).toBe(500);
    shop.broken = false;
    const again = await post('/fails');
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, null]);
    expect(shop.runs).toBe(2);
  });

  it('says 409 while the first is running, and the first is not disturbed', async () => {
    const first = post('/slow');
    while (shop.runs === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = await post('/slow');
    expect([second.status, second.headers.get('retry-after')]).toEqual([409, '1']);
    shop.slow.open();
    expect(await (await first).text()).toBe('slow');
    expect(await (await post('/slow')).text()).toBe('slow');
    expect(shop.runs).toBe(1);
  });

  it('lets an answer through that is too large to keep', async () => {
    const first = await post('/large');
    expect(first.headers.get('idempotency-note')).toBe('body-not-kept');
    expect(await first.text()).toBe('x'.repeat(30_000));
    const second = await post('/large');
    expect([second.status, await second.text(), shop.runs]).toEqual([200, '', 1]);
    expect(second.headers.get('idempotency-note')).toBe('body-not-kept');
  });

  it('lets a stream through as it comes', async () => {
    const first = await post('/events');
    expect(first.headers.get('idempotency-note')).toBe('body-not-kept');
    const reader = (first.body as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: 1\n\n');
    shop.events.open();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: 2\n\n');
    expect((await reader.read()).done).toBe(true);
    expect((await post('/events')).status).toBe(200);
    expect(shop.runs).toBe(1);
  });

  it('does not replay a cookie', async () => {
    const [first, second] = [await post('/cookie'), await post('/cookie')];
    expect(first.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(second.headers.getSetCookie()).toEqual([]);
    expect(await second.text()).toBe('sweet');
  });
}

/** Resolves when the server is closed; connections kept alive would otherwise hold it open for seconds. */
export function closed(server: Server): Promise<unknown> {
  const closing = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  return closing;
}
