import { expect, it } from 'vitest';
import { idempotent } from '../idempotent';
import type { IdempotentHandler } from '../idempotent';
import { keyStatus } from '../status';
import { problem, request } from './rig';
import type { ShopStore } from './shop-store';

/** What `withIdempotency` keeps, on a store whose rows and keys are in one database. */
export function togetherContract(open: () => ShopStore): void {
  let keys = 0;

  function rig(): { shop: ShopStore; key: string; api: (midway?: () => void) => IdempotentHandler } {
    const shop = open();
    keys += 1;
    const api = (midway = (): void => undefined): IdempotentHandler =>
      idempotent(async (sent, context) => shop.together(context, await sent.text(), midway), {
        store: shop.store,
        principal: () => 'ann',
        onUnknown: 'rerun',
      });
    return { shop, key: `key-${keys}`, api };
  }

  it('commits the row, the key and the answer, and replays it', async () => {
    const { shop, key, api } = rig();
    const first = await api()(request({ key, body: key }));
    expect([first.status, await first.text()]).toEqual([201, `ordered ${key}`]);
    expect(first.headers.get('idempotency-retention')).not.toBeNull();
    const second = await api()(request({ key, body: key }));
    expect([await second.text(), second.headers.get('idempotency-replayed')]).toEqual([`ordered ${key}`, 'true']);
    expect((await shop.orders()).filter((sku) => sku === key)).toHaveLength(1);
  });

  it('leaves nothing of work that throws, and the key free', async () => {
    const { shop, key, api } = rig();
    const failing = api(() => {
      throw new Error('sold out');
    });
    await expect(failing(request({ key, body: key }))).rejects.toThrow('sold out');
    expect(await shop.orders()).not.toContain(key);
    expect((await api()(request({ key, body: key }))).status).toBe(201);
  });

  it('runs in a transaction without a key, too', async () => {
    const { shop, key, api } = rig();
    expect((await api()(request({ key: null, body: key }))).status).toBe(201);
    expect(await shop.orders()).toContain(key);
  });

  it('writes nothing when another run owns the key by then, and sends its caller back', async () => {
    const { shop, key } = rig();
    const robbed = idempotent(
      async (sent, context) => {
        if (context) await shop.store.release(context.claim.id, context.claim.owner); // as if taken over and done
        return shop.together(context, await sent.text(), () => undefined);
      },
      { store: shop.store, principal: () => 'ann' },
    );
    expect(await problem(await robbed(request({ key, body: key })))).toEqual({ status: 409, code: 'in-progress' });
    expect(await shop.orders()).not.toContain(key);
    const headers = { 'idempotency-key': key };
    const asked = await keyStatus(robbed.guard)(new Request('http://api.test/keys?target=%2Forders', { headers }));
    expect(await asked.json()).toEqual({ state: 'absent' });
  });
}
