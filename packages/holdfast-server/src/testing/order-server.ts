import { createServer } from 'node:http';
import { idempotent } from '../idempotent';
import type { Handler } from '../idempotent';
import { nodeListener } from '../node';
import { openShopStore } from './shop-store';
import type { ShopPlace } from './shop-store';

/**
 * A shop in a process of its own, for tests that start several and kill them. `STORE` names the store as JSON
 * (`shop-store.ts`), `PORT` the port, `LEASE_MS` the lease, `ON_UNKNOWN` the ruling. `POST /plain` writes its row by itself,
 * `POST /together` with `withIdempotency`. The field `x-die` names the moment at which the process kills itself.
 */
const setting = (name: string): string => process.env[name] ?? '';
const shop = await openShopStore(JSON.parse(setting('STORE')) as ShopPlace);

const handler: Handler = async (request, context) => {
  const moment = request.headers.get('x-die');
  const dieAt = (here: string): void => {
    if (moment === here) process.kill(process.pid, 'SIGKILL');
  };
  dieAt('before');
  const { pathname } = new URL(request.url);
  const sku = await request.text();
  if (pathname === '/together') {
    const response = await shop.together(context, sku, () => dieAt('during'));
    dieAt('after');
    return response;
  }
  await shop.addOrder(sku);
  dieAt('after');
  return new Response(`ordered ${sku}`, { status: 201 });
};

const api = idempotent(handler, {
  store: shop.store,
  principal: () => 'ann',
  leaseMs: Number(setting('LEASE_MS')),
  onUnknown: setting('ON_UNKNOWN') === 'rerun' ? 'rerun' : 'refuse',
});
const listener = nodeListener(api);
createServer((incoming, outgoing) => void listener(incoming, outgoing)).listen(
  Number(setting('PORT')),
  '127.0.0.1',
  () => {
    process.stdout.write('listening\n');
  },
);
