import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allBytes, ask } from '../testing/asks';
import { describeWith } from '../testing/describe-with';
import { startRedis, whyNoRedis } from '../testing/start-redis';
import type { StartedServer } from '../testing/start-server';
import { redisStore } from './redis';
import { storeContract } from './store.contract';

describeWith('the Redis store on a real server', whyNoRedis(), () => {
  let server: StartedServer;
  let client: Redis;
  beforeAll(async () => {
    server = await startRedis();
    client = new Redis({ port: server.port, host: '127.0.0.1' });
  }, 60_000);
  afterAll(async () => {
    client?.disconnect();
    await server?.stop();
  });

  storeContract((clock) => Promise.resolve(redisStore({ client, clock })), false);

  const long = { ...allBytes, body: new Uint8Array(5_000).fill(7) };

  it('lets Redis drop a long body after the retention and the key after the tombstone', async () => {
    const store = redisStore({ client, prefix: 'ttl:' });
    await store.claim(ask('one', 'a'));
    await store.finish(ask('one', 'a'), long);
    expect(await store.look('one')).toMatchObject({ kind: 'done', answer: long });
    expect(await client.pttl('ttl:{one}:b')).toBeLessThanOrEqual(100_000);
    expect(await client.pttl('ttl:{one}')).toBeGreaterThan(1_000_000);
  });

  it('says that a body is not kept when it was evicted, and does not replay an empty one', async () => {
    const store = redisStore({ client, prefix: 'evicted:' });
    await store.claim(ask('one', 'a'));
    await store.finish(ask('one', 'a'), long);
    await client.del('evicted:{one}:b');
    expect(await store.look('one')).toMatchObject({
      kind: 'done',
      answer: { status: 201, body: null, bodyKept: false },
    });
  });

  it('warns once when the server may evict keys', async () => {
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const warnings: string[] = [];
    const store = redisStore({ client, prefix: 'warn:', onWarning: (message) => warnings.push(message) });
    await store.claim(ask('one', 'a'));
    await store.claim(ask('two', 'a'));
    await client.config('SET', 'maxmemory-policy', 'noeviction');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/allkeys-lru/);
    const silent = redisStore({ client, prefix: 'warn:', onWarning: (message) => warnings.push(message) });
    await silent.claim(ask('three', 'a'));
    expect(warnings).toHaveLength(1);
  });

  it('loads its scripts again after the server forgot them', async () => {
    const store = redisStore({ client, prefix: 'flush:' });
    await store.claim(ask('one', 'a'));
    await client.script('FLUSH');
    expect(await store.finish(ask('one', 'a'), allBytes)).toBe(true);
    expect(await store.claim(ask('one', 'b'))).toMatchObject({ kind: 'done' });
  });
});
