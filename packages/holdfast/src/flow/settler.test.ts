import { describe, expect, it } from 'vitest';
import { headerOf } from '../core/header-pairs';
import type { OutboxConfig } from '../core/options';
import type { Outgoing, Rows, Store } from '../ports';
import { memoryStore } from '../testing/memory-store';
import { rig, type RigOptions } from '../testing/rig';
import { pause } from './acts/pause';
import { unwrittenMax } from './send';

const line: OutboxConfig = { routes: [{ name: 'api', match: '/*', lane: 'all' }] };
const free: OutboxConfig = { routes: [{ name: 'api', match: '/*', lane: null }] };

/** A rig whose strict transactions are counted and pass through other hands. */
function watched(options: RigOptions = {}, hands: (rows: Rows) => Partial<Rows> = () => ({})) {
  const inner = memoryStore();
  let strict = 0;
  const store: Store = {
    ...inner,
    transact(durability, work) {
      if (durability === 'strict') strict += 1;
      return inner.transact(durability, (rows) => work({ ...rows, ...hands(rows) }));
    },
  };
  const made = rig({ config: line, store, ...options });
  return {
    ...made,
    strict: () => strict,
    keys: () => made.transport.sent.map(keyOf),
    fill: (count: number) => Promise.all(Array.from({ length: count }, (_, nth) => made.add(`/${nth}`))),
  };
}

function keyOf(request: Pick<Outgoing, 'headers'>): string {
  return headerOf(request.headers, 'idempotency-key') ?? '';
}

describe('outcomes', () => {
  it.each([
    ['one lane', line],
    ['no order', free],
  ])('of %s are written in groups, and with the next claim', async (_, config) => {
    const { fill, engine, all, strict, system } = watched({ config, server: () => ({ status: 201, afterMs: 2 }) });
    await fill(200);
    const before = strict();
    void engine.drain.wake('start');
    await system.passMs(5_000);
    expect((await all()).every(({ state }) => state === 'delivered')).toBe(true);
    // 25 groups of eight, and those that the first small parcels end with.
    expect(strict() - before).toBeLessThan(45);
  });

  it('wait no longer than 100 ms for others', async () => {
    const answeredAt = new Map<string, number>();
    const { fill, engine, all, system } = watched({
      server: (request) => {
        answeredAt.set(keyOf(request), system.now() + 45);
        return { status: 201, afterMs: 45 };
      },
    });
    await fill(40);
    void engine.drain.wake('start');
    let seen = 0;
    for (let ms = 0; ms < 3_000; ms += 5) {
      await system.passMs(5);
      const delivered = new Set(
        (await all()).filter(({ state }) => state === 'delivered').map(({ key }) => `"${key}"`),
      );
      for (const [key, at] of answeredAt) {
        if (system.now() <= at + 100) continue;
        expect(delivered.has(key), `${key} was answered ${system.now() - at} ms ago`).toBe(true);
        seen += 1;
      }
    }
    expect(seen).toBeGreaterThan(40);
  });

  it('that a kill takes with it are those of the last few requests', async () => {
    for (const kill of [1, 4, 8, 15, 16, 23, 24, 31, 38, 40]) {
      const made = watched({
        server: () => {
          if (made.transport.sent.length === kill) made.fake.kill();
          return { status: 201 };
        },
      });
      await made.fill(40);
      void made.engine.drain.wake('start');
      await made.system.passMs(1_000);
      void made.tab().engine.drain.wake('start');
      await made.system.passMs(300_000);
      expect((await made.all()).every(({ state }) => state === 'delivered')).toBe(true);
      expect(made.keys().length - new Set(made.keys()).size).toBeLessThanOrEqual(unwrittenMax);
    }
  });

  it('of a refusal are written before the next of the lane goes: after a kill it is not asked again', async () => {
    for (let kill = 2; kill <= 12; kill += 1) {
      const made = watched({
        server: () => {
          const nth = made.transport.sent.length;
          if (nth === kill) made.fake.kill();
          return { status: nth === kill - 1 ? 422 : 201 };
        },
      });
      await made.fill(12);
      void made.engine.drain.wake('start');
      await made.system.passMs(1_000);
      const refused = made.keys()[kill - 2] ?? '';
      void made.tab().engine.drain.wake('start');
      await made.system.passMs(300_000);
      expect(made.keys().filter((key) => key === refused)).toHaveLength(1);
    }
  });

  it('that cannot be written take no neighbour with them, and nothing of them is counted', async () => {
    const { fill, engine, all, system, store, events } = watched({ config: free }, (rows) => ({
      put: (entry) =>
        entry.state === 'delivered' && entry.request.url.endsWith('/5')
          ? Promise.reject(new TypeError('this row cannot be cloned'))
          : rows.put(entry),
    }));
    await fill(12);
    void engine.drain.wake('start');
    await system.passMs(1_000);
    const delivered = (await all()).filter(({ state }) => state === 'delivered');
    expect(delivered).toHaveLength(11);
    const book = await store.transact('read', (rows) => rows.control('book'));
    expect(book?.subjects['']).toMatchObject({ delivered: 11, sending: 1 });
    expect(events.filter(({ type }) => type === 'error')).toHaveLength(1);
  });
});

describe('what was claimed with others', () => {
  it('is not sent half a second later without another look: a pause holds it back', async () => {
    const { fill, engine, transport, system, context } = watched({
      server: () => ({ status: 201, afterMs: transport.sent.length === 17 ? 2_000 : 1 }),
    });
    await fill(40);
    void engine.drain.wake('start');
    await system.passMs(1_000);
    expect(transport.sent).toHaveLength(17);
    await pause(context);
    await system.passMs(10_000);
    expect(transport.sent).toHaveLength(17);
  });
});
