import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allBytes, ask, handClock } from '../testing/asks';
import { describeWith } from '../testing/describe-with';
import { openShopStore } from '../testing/shop-store';
import type { ShopStore } from '../testing/shop-store';
import { startPostgres, whyNoPostgres } from '../testing/start-postgres';
import type { StartedServer } from '../testing/start-server';
import { togetherContract } from '../testing/together.contract';
import { postgresStore } from './postgres';
import { storeContract } from './store.contract';

describeWith('the PostgreSQL store on a real server', whyNoPostgres(), () => {
  let server: StartedServer;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgres();
    pool = new pg.Pool({ host: '127.0.0.1', port: server.port, user: 'postgres', database: 'postgres', max: 20 });
  }, 60_000);
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  storeContract((clock) => Promise.resolve(postgresStore({ pool, clock })));

  describe('withIdempotency', () => {
    let shop: ShopStore;
    beforeAll(async () => {
      shop = await openShopStore({ kind: 'postgres', port: server.port });
    });
    afterAll(() => shop?.close());
    togetherContract(() => shop);
  });

  it('takes the time from the database, so that machines with wrong clocks agree', async () => {
    const store = postgresStore({ pool, table: 'own_clock' });
    expect(await store.claim(ask('one', 'a'))).toEqual({ kind: 'claimed', runs: 1 });
    const seen = await store.claim(ask('one', 'b'));
    expect(seen).toMatchObject({ kind: 'running' });
    expect(await store.stats()).toEqual({ running: 1, unknown: 0, done: 0, gone: 0 });
  });

  it('has each statement planned once per connection, and goes on without that where a pooler cannot', async () => {
    const one = new pg.Pool({ host: '127.0.0.1', port: server.port, user: 'postgres', database: 'postgres', max: 1 });
    const store = postgresStore({ pool: one, table: 'planned' });
    for (const id of ['one', 'two', 'three']) await store.claim(ask(id, 'a'));
    const kept = `SELECT generic_plans + custom_plans AS runs FROM pg_prepared_statements WHERE name LIKE 'holdfast_%'`;
    expect((await one.query(kept)).rows).toEqual([{ runs: '3' }]);

    await one.query('DEALLOCATE ALL'); // as if the next transaction came to another connection
    expect(await store.finish(ask('one', 'a'), allBytes)).toBe(true);
    expect(await store.claim(ask('two', 'b'))).toMatchObject({ kind: 'running' });
    expect(await store.look('one')).toMatchObject({ kind: 'done', answer: allBytes });
    await one.end();
  });

  it('asks the database once for a new key and once for its answer, and looks at a record only where there is one', async () => {
    let asked = 0;
    const counting = { query: (text: string, values?: unknown[]) => ((asked += 1), pool.query(text, values)) };
    const store = postgresStore({ pool: counting, table: 'planned', createTable: false });
    expect(await store.claim(ask('counted', 'a'))).toEqual({ kind: 'claimed', runs: 1 });
    expect(asked).toBe(1);
    expect(await store.finish(ask('counted', 'a'), allBytes)).toBe(true);
    expect(asked).toBe(2);
    expect(await store.claim(ask('counted', 'b'))).toMatchObject({ kind: 'done', answer: allBytes });
    expect(asked).toBe(4);
  });

  it('creates its table once, however many processes start at the same moment', async () => {
    const stores = Array.from({ length: 10 }, () => postgresStore({ pool, table: 'many_starts' }));
    const claims = await Promise.all(stores.map((store, n) => store.claim(ask('one', `owner-${n}`))));
    expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
  });

  it('answers "in progress" at once while a transaction holds the key, and leaves it to its owner', async () => {
    const { now, pass } = handClock();
    const store = postgresStore({ pool, clock: now, table: 'held' });
    await store.claim(ask('one', 'a'));
    const client = await pool.connect();
    await client.query('BEGIN');
    expect(await store.hold(client, ask('one', 'a'))).toBe(true);
    expect(await store.claim(ask('one', 'b'))).toMatchObject({ kind: 'running' });
    expect(await store.renew('one', 'a', 10_000)).toBe(true);
    pass(10_000);
    expect(await store.takeOver(ask('one', 'b'), 'a')).toMatchObject({ kind: 'unknown', owner: 'a' });
    await client.query('ROLLBACK');
    client.release();
    expect(await store.takeOver(ask('one', 'b'), 'a')).toEqual({ kind: 'claimed', runs: 2 });
  });
});
