import { Readable } from 'node:stream';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { idempotency } from './fastify';
import { memoryStore } from './stores/memory';
import { adapterContract } from './testing/adapter.contract';
import type { Shop } from './testing/adapter.contract';
import { eventChunks } from './testing/web-shop';

function fastifyShop(shop: Shop): FastifyInstance {
  const app = Fastify();
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  void app.register(
    idempotency({
      store: memoryStore(),
      principal: (request) => request.headers['x-user'] as string | undefined,
      maxAnswerBytes: 20_000,
    }),
  );
  app.addHook('preHandler', (request, _, done) => {
    if (request.method === 'POST') shop.runs += 1;
    done();
  });
  app.get('/orders', () => 'orders');
  app.post('/orders', (request, reply) => {
    void reply.code(201).send({ run: shop.runs, sku: (request.body as { sku: string }).sku });
  });
  app.post('/echo', (request, reply) => void reply.type('application/octet-stream').send(request.body));
  app.post('/empty', (_, reply) => void reply.code(204).send());
  app.post('/fails', () => {
    if (shop.broken) throw new Error('broken');
    return 'works';
  });
  app.post('/slow', async () => {
    await shop.slow.promise;
    return 'slow';
  });
  app.post('/large', (_, reply) => void reply.send(Readable.from(['x'.repeat(15_000), 'x'.repeat(15_000)])));
  app.post('/events', (_, reply) => void reply.type('text/event-stream').send(Readable.from(eventChunks(shop))));
  app.post('/cookie', (_, reply) => void reply.header('set-cookie', ['a=1', 'b=2']).send('sweet'));
  return app;
}

describe('a Fastify app', () => {
  adapterContract(async (shop) => {
    const app = fastifyShop(shop);
    await app.listen({ port: 0, host: '127.0.0.1' });
    return app.server;
  });
});

describe('the Fastify plugin', () => {
  it('guards routes registered after it, and hands them the claim', async () => {
    const app = Fastify();
    await app.register(idempotency({ store: memoryStore() }));
    app.post('/', (request) => ({ key: request.idempotency?.key ?? 'none' }));
    const send = (headers: Record<string, string>) => app.inject({ method: 'POST', url: '/', headers });
    expect((await send({ 'idempotency-key': 'k1' })).json()).toEqual({ key: 'k1' });
    const again = await send({ 'idempotency-key': 'k1' });
    expect([again.json(), again.headers['idempotency-replayed']]).toEqual([{ key: 'k1' }, 'true']);
    expect((await send({})).json()).toEqual({ key: 'none' });
    await app.close();
  });
});
