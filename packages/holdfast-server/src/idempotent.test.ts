import { describe, expect, it } from 'vitest';
import { idempotent } from './idempotent';
import { memoryStore } from './stores/memory';
import { sqliteStore } from './stores/sqlite';

function post(key: string | null, body = '{"sku":"X1"}', headers: Record<string, string> = {}): Request {
  return new Request('http://api.test/orders', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...(key === null ? {} : { 'idempotency-key': key }), ...headers },
  });
}

for (const [name, store] of [
  ['memory', memoryStore()],
  ['sqlite', sqliteStore({ path: ':memory:' })],
] as const) {
  describe(`smoke ${name}`, () => {
    it('runs once and replays', async () => {
      let runs = 0;
      const api = idempotent(
        async (request) => Response.json({ n: ++runs, got: await request.text() }, { status: 201 }),
        { store },
      );
      const first = await api(post('"k1"'));
      const second = await api(post('k1'));
      expect(first.status).toBe(201);
      expect(second.status).toBe(201);
      expect(await second.text()).toBe(await first.text());
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      expect(runs).toBe(1);
      expect((await api(post('k1', '{"sku":"X2"}'))).status).toBe(422);
      expect((await api(post('"k1'))).status).toBe(400);
      const many = await Promise.all(Array.from({ length: 10 }, () => api(post('k2'))));
      expect(many.map((r) => r.status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
      expect(await api.stats()).toMatchObject({ done: 2 });
    });
  });
}
