import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, describe, expect, it } from 'vitest';
import { ask } from '../testing/asks';
import { openShopStore } from '../testing/shop-store';
import { togetherContract } from '../testing/together.contract';
import { sqliteStore } from './sqlite';
import { storeContract } from './store.contract';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the SQLite store on a file', () => {
  storeContract((clock) => Promise.resolve(sqliteStore({ path: join(folder, 'contract.db'), clock })));

  it('writes to disk before it answers', () => {
    const { database } = sqliteStore({ path: join(folder, 'durable.db') });
    expect(database.prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'wal' });
    expect(database.prepare('PRAGMA synchronous').get()).toMatchObject({ synchronous: 2 });
  });
});

describe('withIdempotency on SQLite', async () => {
  const shop = await openShopStore({ kind: 'sqlite', path: join(folder, 'together.db') });
  togetherContract(() => shop);
});

describe('the SQLite store in a database of the app', () => {
  const database = new Database(':memory:');
  storeContract((clock) => Promise.resolve(sqliteStore({ database, clock, table: 'app_keys' })));

  it('does not write into a transaction of the app, which might be undone', async () => {
    const own = new Database(':memory:');
    const store = sqliteStore({ database: own });
    own.exec('BEGIN');
    await expect(store.claim(ask('one', 'a'))).rejects.toMatchObject({ code: 'store-busy' });
    own.exec('ROLLBACK');
    expect(await store.claim(ask('one', 'a'))).toMatchObject({ kind: 'claimed' });
  });

  it('commits what comes in one turn together, and fails together', async () => {
    const own = new Database(':memory:');
    const store = sqliteStore({ database: own });
    const commits: string[] = [];
    const exec = own.exec.bind(own);
    own.exec = (sql: string) => {
      commits.push(sql);
      return exec(sql);
    };
    await Promise.all(Array.from({ length: 50 }, (_, n) => store.claim(ask(`id-${n}`, 'a'))));
    expect(commits).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
    own.exec = (sql: string) => {
      if (sql === 'COMMIT') throw new Error('disk full');
      return exec(sql);
    };
    const failed = await Promise.allSettled([store.release('id-1', 'a'), store.claim(ask('late', 'a'))]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    own.exec = exec;
    expect(await store.look('id-1')).toMatchObject({ kind: 'running' });
    expect(await store.look('late')).toEqual({ kind: 'absent' });
  });

  it('refuses a table name that is none, and two databases at once', () => {
    expect(() => sqliteStore({ database, table: 'keys; DROP TABLE orders' })).toThrow(/no table name/);
    expect(() => sqliteStore({ database, path: 'x.db' })).toThrow(/either/);
    expect(() => sqliteStore({})).toThrow(/either/);
  });
});
