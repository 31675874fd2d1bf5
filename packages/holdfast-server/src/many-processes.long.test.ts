import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { describeWith } from './testing/describe-with';
import { processesContract } from './testing/processes.contract';
import { startPostgres, whyNoPostgres } from './testing/start-postgres';
import { startRedis, whyNoRedis } from './testing/start-redis';
import type { StartedServer } from './testing/start-server';

describe('processes on one SQLite file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-processes-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  processesContract(() => ({ kind: 'sqlite', path: join(folder, 'shop.db') }), true);
});

describeWith('processes on one PostgreSQL', whyNoPostgres(), () => {
  let server: StartedServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.stop());
  processesContract(() => ({ kind: 'postgres', port: server.port }), true);
});

describeWith('processes on one Redis', whyNoRedis(), () => {
  let server: StartedServer;
  beforeAll(async () => {
    server = await startRedis();
  }, 60_000);
  afterAll(() => server?.stop());
  processesContract(() => ({ kind: 'redis', port: server.port }), false);
});
