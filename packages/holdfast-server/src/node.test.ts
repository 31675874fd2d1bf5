import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { describe } from 'vitest';
import { idempotent } from './idempotent';
import type { Handler } from './idempotent';
import { nodeListener } from './node';
import { memoryStore } from './stores/memory';
import { adapterContract } from './testing/adapter.contract';
import type { Shop } from './testing/adapter.contract';
import { webShop } from './testing/web-shop';

const options = {
  store: memoryStore(),
  principal: (request: Request) => request.headers.get('x-user'),
  maxAnswerBytes: 20_000,
};

function listening(handler: Handler): Promise<Server> {
  const server = createServer(
    (incoming, outgoing) => void nodeListener(handler, { onError: () => undefined })(incoming, outgoing),
  );
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describe('a node:http server', () => {
  adapterContract((shop: Shop) => {
    const listener = nodeListener(idempotent(webShop(shop), { ...options, store: memoryStore() }), {
      onError: () => undefined,
    });
    const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
  });
});

describe('a node:http server whose guarded handler is one of several', () => {
  adapterContract((shop: Shop) => {
    const api = idempotent(webShop(shop), { ...options, store: memoryStore() });
    return listening((request) => api(request));
  });
});
