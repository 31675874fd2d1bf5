import type { Server } from 'node:http';
import { Readable } from 'node:stream';
import express from 'express';
import type { NextFunction, Request, Response as ExpressResponse } from 'express';
import { describe, expect, it } from 'vitest';
import { idempotency, sendResponse } from './express';
import { memoryStore } from './stores/memory';
import { adapterContract, closed } from './testing/adapter.contract';
import type { Shop } from './testing/adapter.contract';
import { eventChunks } from './testing/web-shop';

function guard() {
  return idempotency({ store: memoryStore(), principal: (req: Request) => req.get('x-user'), maxAnswerBytes: 20_000 });
}

function expressShop(shop: Shop, parsersFirst: boolean): express.Express {
  const app = express();
  const parsers = [express.json(), express.raw({ type: 'application/octet-stream', limit: '1mb' })];
  app.use(parsersFirst ? [...parsers, guard()] : [guard(), ...parsers]);
  app.use((req: Request, _: ExpressResponse, next: NextFunction) => {
    if (req.method === 'POST') shop.runs += 1;
    next();
  });
  app.get('/orders', (_, res) => void res.send('orders'));
  app.post(
    '/orders',
    (req, res) => void res.status(201).json({ run: shop.runs, sku: (req.body as { sku: string }).sku }),
  );
  app.post('/echo', (req, res) => void res.type('application/octet-stream').send(req.body as Buffer));
  app.post('/empty', (_, res) => void res.status(204).end());
  app.post('/fails', (_, res) => {
    if (shop.broken) throw new Error('broken');
    res.send('works');
  });
  app.post('/slow', async (_, res) => {
    await shop.slow.promise;
    res.writeHead(200, { 'content-type': 'text/plain' });
    res.write('sl');
    res.end('ow');
  });
  app.post('/large', (_, res) => void Readable.from(['x'.repeat(15_000), 'x'.repeat(15_000)]).pipe(res));
  app.post('/events', (_, res) => {
    res.setHeader('content-type', 'text/event-stream');
    Readable.from(eventChunks(shop)).pipe(res);
  });
  app.post('/cookie', (_, res) => void res.append('set-cookie', ['a=1', 'b=2']).send('sweet'));
  app.use((error: Error, _: Request, res: ExpressResponse, next: NextFunction) => {
    if (res.headersSent) return next(error);
    res.status(500).send('broken');
  });
  return app;
}

function listen(app: express.Express): Promise<Server> {
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(server));
  });
}

describe('an Express app', () => {
  adapterContract((shop) => listen(expressShop(shop, false)));
});

describe('an Express app whose body parsers come first', () => {
  adapterContract((shop) => listen(expressShop(shop, true)));
});

describe('Express middleware', () => {
  const key = { 'idempotency-key': 'k1' };

  it('keeps and replays what withIdempotency answers', async () => {
    const app = express();
    app.post('/', guard(), async (req, res) => {
      await sendResponse(
        res,
        Response.json({ key: req.idempotency?.key }, { status: 201, headers: { location: '/1' } }),
      );
    });
    const server = await listen(app);
    const { port } = server.address() as { port: number };
    const post = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: key });
    const [first, second] = [await post(), await post()];
    expect([first.status, await first.json(), first.headers.get('location')]).toEqual([201, { key: 'k1' }, '/1']);
    expect([second.status, await second.json(), second.headers.get('location')]).toEqual([201, { key: 'k1' }, '/1']);
    await closed(server);
  });

  it('says so when somebody read the body before it and left nothing', async () => {
    const app = express();
    app.use((req, _, next) => void req.resume().on('end', next));
    app.post('/', guard(), (_, res) => void res.send('never'));
    app.use(
      (error: Error, _: Request, res: ExpressResponse, _next: NextFunction) => void res.status(500).send(error.message),
    );
    const server = await listen(app);
    const { port } = server.address() as { port: number };
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: key, body: 'x' });
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('put it before that parser')]);
    await closed(server);
  });

  it('still keeps an answer whose caller has hung up', async () => {
    const store = memoryStore();
    const app = express();
    let runs = 0;
    let proceed: (() => void) | undefined;
    let finished: () => void = () => undefined;
    const done = new Promise<void>((resolve) => (finished = resolve));
    app.post('/', idempotency({ store }), async (_, res) => {
      runs += 1;
      if (runs === 1) await new Promise<void>((resolve) => (proceed = resolve));
      res.send('kept');
      finished();
    });
    const server = await listen(app);
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
    const leaving = new AbortController();
    const first = fetch(url, { method: 'POST', headers: key, signal: leaving.signal });
    while (!proceed) await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    await expect(first).rejects.toThrow();
    proceed();
    await done;
    while ((await store.stats()).done === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = await fetch(url, { method: 'POST', headers: key });
    expect([await second.text(), second.headers.get('idempotency-replayed'), runs]).toEqual(['kept', 'true', 1]);
    await closed(server);
  });
});
