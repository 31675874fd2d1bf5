import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
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
