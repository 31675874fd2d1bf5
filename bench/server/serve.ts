import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { idempotent } from 'holdfast-server';
import type { GuardOptions } from 'holdfast-server';
import { nodeListener } from 'holdfast-server/node';
import { coreGuarded } from './core-guard.ts';
import type { Contender } from './contenders.ts';
import { handler, place } from './order.ts';
import type { Order } from './order.ts';
import { coreStorage, ourStore } from './stores.ts';
import type { Places } from './stores.ts';

/**
 * One contender in a process of its own. Says its port once it listens; asked for anything, it says how much processor time
 * it has used so far, in microseconds.
 */
const { contender, places } = JSON.parse(process.argv[2] ?? '{}') as { contender: Contender; places: Places };

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuUs: user + system });
});
process.on('disconnect', () => process.exit());
process.send?.({ port: await listen(contender) });

function listen({ door }: Contender): Promise<number> {
  switch (door) {
    case 'node:http':
      return onNode();
    case 'Hono':
      return onHono();
    case 'Express':
      return onExpress();
    case 'Fastify':
      return onFastify();
  }
}

/** The caller is named as an app would: by something it has verified. All the contenders do without. */
async function options<Source>(): Promise<GuardOptions<Source>> {
  return { store: await ourStore(contender.store ?? 'memory', places), principal: () => 'ann' };
}

async function onNode(): Promise<number> {
  const { guarding, store } = contender;
  if (guarding === 'bare') return listening(nodeListener(handler));
  if (guarding === 'holdfast') return listening(nodeListener(idempotent(handler, await options())));
  const storage = await coreStorage(store === 'redis' ? 'redis' : 'memory', places);
  return listening(nodeListener(coreGuarded(storage)));
}

async function onHono(): Promise<number> {
  const { Hono } = await import('hono');
  const { serve } = await import('@hono/node-server');
  const { idempotency } = await import('holdfast-server/hono');
  const app = new Hono();
  if (contender.guarding === 'holdfast') app.use(idempotency(await options()));
  app.post('/orders', async (c) => {
    const order = await c.req.json<Order>();
    return c.json(place(order), 201, { location: `/orders/${order.sku}` });
  });
  return new Promise((resolve) =>
    serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port)),
  );
}

async function onExpress(): Promise<number> {
  const { default: express } = await import('express');
  const { idempotency } = await import('holdfast-server/express');
  const app = express();
  if (contender.guarding === 'holdfast') app.use(idempotency(await options()));
  app.use(express.json());
  app.post('/orders', (request, response) => {
    const order = request.body as Order;
    response.status(201).location(`/orders/${order.sku}`).json(place(order));
  });
  return listening(app);
}

async function onFastify(): Promise<number> {
  const { default: fastify } = await import('fastify');
  const { idempotency } = await import('holdfast-server/fastify');
  const app = fastify();
  if (contender.guarding === 'holdfast') await app.register(idempotency(await options()));
  app.post('/orders', (request, reply) => {
    const order = request.body as Order;
    return reply.code(201).header('location', `/orders/${order.sku}`).send(place(order));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

function listening(listener: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown): Promise<number> {
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
