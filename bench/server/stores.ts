import { memoryStore } from 'holdfast-server';
import type { Store } from 'holdfast-server';
import type { StorageAdapter } from '@node-idempotency/storage';

/** Where the servers that were started for this bench listen, and a folder for files. */
export interface Places {
  readonly folder: string;
  readonly redisPort: number;
  readonly postgresPort: number;
}

export const storeNames = ['memory', 'sqlite', 'postgres', 'redis'] as const;
export type StoreName = (typeof storeNames)[number];

/** Millions of keys pass through; none is forgotten while it is measured. */
const maxKeys = 50_000_000;

/** Each as its documentation has it, with every default. */
export async function ourStore(name: StoreName, { folder, redisPort, postgresPort }: Places): Promise<Store> {
  switch (name) {
    case 'memory':
      return memoryStore({ maxKeys });
    case 'sqlite': {
      const { sqliteStore } = await import('holdfast-server/sqlite');
      return sqliteStore({ path: `${folder}/keys.db` });
    }
    case 'postgres': {
      const { postgresStore } = await import('holdfast-server/postgres');
      const { default: pg } = await import('pg');
      const at = { host: '127.0.0.1', port: postgresPort, user: 'postgres', database: 'postgres' };
      return postgresStore({ pool: new pg.Pool(at) });
    }
    case 'redis': {
      const { redisStore } = await import('holdfast-server/redis');
      const { Redis } = await import('ioredis');
      return redisStore({ client: new Redis({ host: '127.0.0.1', port: redisPort, enableOfflineQueue: false }) });
    }
  }
}

/** The stores `@node-idempotency/core` has. */
export async function coreStorage(name: 'memory' | 'redis', { redisPort }: Places): Promise<StorageAdapter> {
  if (name === 'memory') {
    const { MemoryStorageAdapter } = await import('@node-idempotency/storage-adapter-memory');
    return new MemoryStorageAdapter();
  }
  const { RedisStorageAdapter } = await import('@node-idempotency/storage-adapter-redis');
  const storage = new RedisStorageAdapter({ url: `redis://127.0.0.1:${redisPort}` });
  await storage.connect();
  return storage;
}
