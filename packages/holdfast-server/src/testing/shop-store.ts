import { plainAnswer } from '../answer';
import type { RunContext } from '../run-context';
import type { Store } from '../store';

/** Where keys and orders are kept. */
export type ShopPlace =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres' | 'redis'; readonly port: number };

/** A store of keys, and the orders beside it. */
export interface ShopStore {
  readonly store: Store;
  addOrder(sku: string): Promise<void>;
  /** All orders, in any order. */
  orders(): Promise<string[]>;
  /** Writes an order together with key and answer. `midway` is called when the row is written and nothing committed. */
  together(context: RunContext | undefined, sku: string, midway: () => void): Promise<Response>;
  close(): Promise<void>;
}

const answer = (sku: string) => plainAnswer(201, [['content-type', 'text/plain']], `ordered ${sku}`);

/** Each loads its own driver only: a process that is to be killed should not take long to start. */
export function openShopStore(place: ShopPlace): Promise<ShopStore> {
  if (place.kind === 'sqlite') return sqliteShop(place.path);
  return place.kind === 'postgres' ? postgresShop(place.port) : redisShop(place.port);
}

async function sqliteShop(path: string): Promise<ShopStore> {
  const { default: Database } = await import('libsql');
  const { sqliteStore, withIdempotency } = await import('../sqlite');
  const database = new Database(path);
  database.exec('PRAGMA busy_timeout = 5000');
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('CREATE TABLE IF NOT EXISTS orders (sku TEXT NOT NULL)');
  const store = sqliteStore({ database });
  const insert = database.prepare('INSERT INTO orders VALUES (?)');
  return {
    store,
    addOrder: (sku) => Promise.resolve(void insert.run(sku)),
    orders: () =>
      Promise.resolve((database.prepare('SELECT sku FROM orders').all() as { sku: string }[]).map(({ sku }) => sku)),
    together(context, sku, midway) {
      const response = withIdempotency(store, context, () => {
        insert.run(sku);
        midway();
        return answer(sku);
      });
      return Promise.resolve(response);
    },
    close: () => Promise.resolve(void database.close()),
  };
}

async function postgresShop(port: number): Promise<ShopStore> {
  const { default: pg } = await import('pg');
  const { postgresStore, withIdempotency } = await import('../postgres');
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres', max: 10 });
  await pool.query('CREATE TABLE IF NOT EXISTS orders (sku text NOT NULL)').catch(() => undefined);
  const store = postgresStore({ pool });
  return {
    store,
    addOrder: async (sku) => void (await pool.query('INSERT INTO orders VALUES ($1)', [sku])),
    orders: async () => (await pool.query<{ sku: string }>('SELECT sku FROM orders')).rows.map(({ sku }) => sku),
    together(context, sku, midway) {
      return withIdempotency(store, context, async (tx) => {
        await tx.query('INSERT INTO orders VALUES ($1)', [sku]);
        midway();
        return answer(sku);
      });
    },
    close: () => pool.end(),
  };
}

async function redisShop(port: number): Promise<ShopStore> {
  const { Redis } = await import('ioredis');
  const { redisStore } = await import('../redis');
  const client = new Redis({ port, host: '127.0.0.1' });
  return {
    store: redisStore({ client }),
    addOrder: async (sku) => void (await client.rpush('orders', sku)),
    orders: () => client.lrange('orders', 0, -1),
    together: () => Promise.reject(new Error('Redis has no transaction with the rows of an app')),
    close: () => Promise.resolve(client.disconnect()),
  };
}
