import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { openShopStore } from './shop-store';
import type { ShopPlace } from './shop-store';
import { freePort, start } from './start-server';
import type { Started } from './start-server';

const script = fileURLToPath(new URL('./order-server.ts', import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

interface Shop extends Started {
  post(path: string, sku: string, headers?: Record<string, string>): Promise<Response>;
}

/**
 * What several processes on one store keep, and what a killed one leaves behind.
 *
 * @param together whether the store can write a key with the rows of the app
 */
export function processesContract(place: () => ShopPlace, together: boolean): void {
  const shops: Shop[] = [];
  let skus = 0;

  async function openShop(settings: Record<string, string> = {}): Promise<Shop> {
    const port = await freePort();
    const env = { STORE: JSON.stringify(place()), PORT: String(port), LEASE_MS: '30000', ...settings };
    const started = await start(process.execPath, ['--import', tsx, script], /listening/, { env });
    const post = (path: string, sku: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        body: sku,
        headers: { 'idempotency-key': `"${sku}"`, ...headers },
      });
    const shop = { ...started, post };
    shops.push(shop);
    return shop;
  }

  const openTwo = (settings: Record<string, string> = {}): Promise<[Shop, Shop]> => {
    return Promise.all([openShop(settings), openShop(settings)]);
  };

  /** How many rows there are for one sku, read by this process itself. */
  async function rows(sku: string): Promise<number> {
    const shop = await openShopStore(place());
    const all = await shop.orders();
    await shop.close();
    return all.filter((one) => one === sku).length;
  }

  /** Sends again while the answer is "in progress": until the dead process's lease is over. */
  async function finalAnswer(shop: Shop, path: string, sku: string): Promise<Response> {
    for (;;) {
      const answer = await shop.post(path, sku);
      if (answer.status !== 409) return answer;
      const { code } = (await answer.clone().json()) as { code: string };
      if (code !== 'in-progress') return answer;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  const newSku = (): string => `sku-${place().kind}-${(skus += 1)}`;

  afterEach(async () => {
    await Promise.all(shops.splice(0).map((shop) => shop.stop()));
  });

  it('runs a handler once for 64 identical requests at the same time over two processes', async () => {
    const [one, two] = await openTwo();
    const sku = newSku();
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => (n % 2 ? one : two).post('/plain', sku)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([]);
    expect(statuses).toContain(201);
    expect(await rows(sku)).toBe(1);
    for (const shop of [one, two])
      expect((await shop.post('/plain', sku)).headers.get('idempotency-replayed')).toBe('true');
  }, 60_000);

  it('leaves the outcome open when a process is killed after its work and before its answer is kept', async () => {
    const sku = newSku();
    const [doomed, next] = await openTwo({ LEASE_MS: '500' });
    await expect(doomed.post('/plain', sku, { 'x-die': 'after' })).rejects.toThrow();
    await doomed.ended;
    const answer = await finalAnswer(next, '/plain', sku);
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'outcome-unknown' }]);
    expect(await rows(sku)).toBe(1);
  }, 60_000);

  it('does the work twice in that moment if it is told to rerun: the window documented for it', async () => {
    const sku = newSku();
    const [doomed, next] = await openTwo({ LEASE_MS: '500', ON_UNKNOWN: 'rerun' });
    await expect(doomed.post('/plain', sku, { 'x-die': 'after' })).rejects.toThrow();
    expect((await finalAnswer(next, '/plain', sku)).status).toBe(201);
    expect(await rows(sku)).toBe(2);
  }, 60_000);

  if (!together) return;

  it.each(['before', 'during', 'after'])(
    'has one row and one answer when a process is killed %s its handler, with rows and key in one transaction',
    async (moment) => {
      const sku = newSku();
      const [doomed, next] = await openTwo({ LEASE_MS: '500', ON_UNKNOWN: 'rerun' });
      await expect(doomed.post('/together', sku, { 'x-die': moment })).rejects.toThrow();
      await doomed.ended;
      expect(await rows(sku)).toBe(moment === 'after' ? 1 : 0);
      const answer = await finalAnswer(next, '/together', sku);
      expect([answer.status, await answer.text()]).toEqual([201, `ordered ${sku}`]);
      expect(answer.headers.get('idempotency-replayed')).toBe(moment === 'after' ? 'true' : null);
      expect((await next.post('/together', sku)).headers.get('idempotency-replayed')).toBe('true');
      expect(await rows(sku)).toBe(1);
    },
    60_000,
  );

  it('runs a handler once for 64 identical requests over two processes, with rows and key in one transaction', async () => {
    const [one, two] = await openTwo();
    const sku = newSku();
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => (n % 2 ? one : two).post('/together', sku)));
    expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 409)).toEqual([]);
    expect(await rows(sku)).toBe(1);
  }, 60_000);
}
