import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { cors } from 'hono/cors';
import { describe, expect, it } from 'vitest';
import { idempotency } from './hono';
import { memoryStore } from './stores/memory';
import { adapterContract } from './testing/adapter.contract';
import type { Shop } from './testing/adapter.contract';
import { events } from './testing/web-shop';

function honoShop(shop: Shop): Hono {
  const app = new Hono();
  app.onError((_, c) => c.text('broken', 500));
  const guard = idempotency({
    store: memoryStore(),
    principal: (c) => c.req.header('x-user'),
    maxAnswerBytes: 20_000,
  });
  app.use(guard);
  app.use(async (c, next) => {
    if (c.req.method === 'POST') shop.runs += 1;
    await next();
  });
  app.get('/orders', (c) => c.text('orders'));
  app.post('/orders', async (c) => {
    const { sku } = await c.req.json<{ sku: string }>();
    return c.json({ run: shop.runs, sku }, 201);
  });
  app.post('/echo', async (c) => {
    c.header('content-type', 'application/octet-stream');
    return c.body(await c.req.raw.arrayBuffer());
  });
  app.post('/empty', (c) => c.body(null, 204));
  app.post('/fails', (c) => {
    if (shop.broken) throw new Error('broken');
    return c.text('works');
  });
  app.post('/slow', async (c) => {
    await shop.slow.promise;
    return c.text('slow');
  });
  app.post('/large', (c) => c.text('x'.repeat(30_000)));
  app.post('/events', (c) => {
    c.header('content-type', 'text/event-stream');
    return c.body(events(shop));
  });
  app.post('/cookie', (c) => {
    c.header('set-cookie', 'a=1', { append: true });
    c.header('set-cookie', 'b=2', { append: true });
    return c.text('sweet');
  });
  return app;
}

describe('a Hono app on Node', () => {
  adapterContract((shop) => {
    return new Promise((resolve) => {
      const server = serve({ fetch: honoShop(shop).fetch, port: 0, hostname: '127.0.0.1' }, () =>
        resolve(server as Server),
      );
    });
  });
});

describe('Hono middleware', () => {
  const post = {
    method: 'POST',
    body: '{"a":1}',
    headers: { 'idempotency-key': 'k1', 'content-type': 'application/json' },
  };

  it('leaves the body for every way of reading it', async () => {
    const app = new Hono();
    app.use(idempotency({ store: memoryStore() }));
    const read: unknown[] = [];
    app.post('/', async (c) => {
      read.push(await c.req.json(), await c.req.text(), (await c.req.arrayBuffer()).byteLength);
      read.push(
        await c.req.raw.clone().json(),
        c.req.header('content-type'),
        await new Response(c.req.raw.body).text(),
      );
      return c.text('ok');
    });
    await app.request('/', post);
    expect(read).toEqual([{ a: 1 }, '{"a":1}', 7, { a: 1 }, 'application/json', '{"a":1}']);
  });

  it.each([
    ['text', (c: Context) => c.body('naïve')],
    ['bytes', (c: Context) => c.body(new Uint8Array([0, 255, 254]))],
    ['no body', (c: Context) => c.body(null, 204)],
    ['an empty text', (c: Context) => c.text('')],
    ['JSON with fields of its own', (c: Context) => c.json({ a: 'ü' }, 201, { etag: '"7"', link: '</x>; rel="next"' })],
    ['a body that others have looked at', (c: Context) => (c.res = new Response('seen')).body && c.res],
  ])('replays on Node exactly what was sent first: %s', async (_, answer) => {
    const app = new Hono();
    app.use(idempotency({ store: memoryStore() }));
    app.post('/', (c) => answer(c) as Response);
    const server = await new Promise<Server>((resolve) => {
      const started = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(started as Server));
    });
    const { port } = server.address() as AddressInfo;
    const sent = async (): Promise<unknown> => {
      const response = await fetch(`http://127.0.0.1:${port}/`, post);
      const headers = ['content-type', 'etag', 'link', 'idempotency-retention'].map((name) =>
        response.headers.get(name),
      );
      return [response.status, headers, [...new Uint8Array(await response.arrayBuffer())]];
    };
    const first = await sent();
    expect(await sent()).toEqual(first);
    await new Promise((resolve) => server.close(resolve));
  });

  it('keeps what was sent, though the handler uses its buffer again', async () => {
    const buffer = new Uint8Array(5_000).fill(1);
    const app = new Hono();
    app.use(idempotency({ store: memoryStore() }));
    app.post('/', (c) => c.body(buffer));
    await (await app.request('/', post)).arrayBuffer();
    buffer.fill(9);
    const again = new Uint8Array(await (await app.request('/', post)).arrayBuffer());
    expect([again.byteLength, again.every((byte) => byte === 1)]).toEqual([5_000, true]);
  });

  it('hands the claim to the handler, and its replays get headers of outer middleware', async () => {
    const app = new Hono();
    app.use(cors({ origin: 'https://shop.test', exposeHeaders: ['Idempotency-Replayed'] }));
    app.use(idempotency({ store: memoryStore() }));
    app.post('/', (c) => c.text(c.get('idempotency')?.key ?? 'none'));
    const fromShop = { ...post, headers: { ...post.headers, origin: 'https://shop.test' } };
    const first = await app.request('/', fromShop);
    const second = await app.request('/', fromShop);
    expect([await first.text(), await second.text()]).toEqual(['k1', 'k1']);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.headers.get('access-control-allow-origin')).toBe('https://shop.test');
    expect(second.headers.get('access-control-expose-headers')).toBe('Idempotency-Replayed');
  });
});
