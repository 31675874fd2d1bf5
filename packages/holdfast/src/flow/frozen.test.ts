import { describe, expect, it } from 'vitest';
import { emptyBook, noCounts } from '../core/control';
import { OutboxError } from '../core/errors';
import type { Store } from '../ports';
import { memoryStore } from '../testing/memory-store';
import { rig, type RigOptions } from '../testing/rig';
import { edit } from './acts/edit';
import { createFrozenHolder } from './frozen-holder';

const routes: NonNullable<RigOptions['config']>['routes'] = [
  { name: 'ahead', match: '/ahead', lane: null, capture: 'write-ahead' },
  { name: 'api', match: '/*', lane: null },
];

/** Lets so many turns of the promises pass, to stop in the middle of something. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}

describe('a frozen tab', () => {
  it('that has the lock holds the others up for a minute or two, not for ever', async () => {
    const { add, engine, fake, tab, all, system } = rig({ config: { routes } });
    await add('/a');
    void engine.drain.wake('start');
    await turns(3);
    fake.freeze();

    const other = tab();
    void other.engine.drain.wake('start');
    await system.passMs(30_000);
    expect(await all()).toMatchObject([{ state: 'pending' }]);
    await system.passMs(120_000);
    expect(await all()).toMatchObject([{ state: 'delivered' }]);
  });

  it('is not robbed while its request may still be under way', async () => {
    const { add, engine, tab, transport, system } = rig({
      config: { routes: [{ name: 'api', match: '/*', timeoutMs: 600_000 }] },
      server: () => ({ status: 201, afterMs: 500_000 }),
    });
    await add('/a');
    void engine.drain.wake('start');
    await system.settle();
    void tab().engine.drain.wake('start');
    await system.passMs(499_000);
    expect(transport.sent).toHaveLength(1);
  });

  it.each([
    ['queued', 'add', '/a'],
    ['stored ahead', 'fetch', '/ahead'],
  ] as const)('never sends what was %s after its deadline has passed', async (_, how, path) => {
    for (let point = 0; point < 60; point += 1) {
      const sentAt: number[] = [];
      const { engine, system, fake, ...app } = rig({
        config: { routes },
        server: () => {
          sentAt.push(system.now());
          return { status: 500 };
        },
      });
      const deadline = system.now() + 20_000;
      void app[how](path, {}, { expiresInMs: 20_000 }).then(() => engine.drain.wake('enqueue'));
      await turns(point);
      fake.freeze();
      await system.passMs(70_000);
      fake.thaw();
      await system.passMs(70_000);
      expect(Math.max(0, ...sentAt), `frozen after ${point} turns`).toBeLessThan(deadline);
    }
  });
});

describe('an answer that comes late', () => {
  it('to a request that was edited meanwhile is not taken for the new one', async () => {
    const { add, engine, fake, tab, transport, all, system } = rig({
      config: { routes },
      server: (_, nth) => (nth === 1 ? { status: 201, afterMs: 20_000 } : { status: 422 }),
    });
    const { id } = await add('/a', { body: 'old' });
    void engine.drain.wake('start');
    await system.settle();
    fake.freeze();
    const other = tab();
    void other.engine.drain.wake('start');
    await system.passMs(240_000);
    expect(await all()).toMatchObject([{ state: 'dead', dead: { reason: 'rejected' } }]);
    await edit(other.context, id, { body: { body: new TextEncoder().encode('new') } });

    fake.thaw();
    await system.passMs(60_000);
    expect(transport.sent).toHaveLength(2);
    expect(await all()).toMatchObject([{ state: 'dead', outcome: 'never-sent' }]);
  });
});

describe('storage that fails now and then', () => {
  it('costs a request no budget when its body cannot be read', async () => {
    const { add, engine, all, store, system } = rig({ config: { routes } });
    await add('/a', { body: 'x'.repeat(5_000) });
    const real = store.transact.bind(store);
    store.transact = (durability, work) =>
      real(durability, (rows) =>
        work({
          ...rows,
          body: () => Promise.reject(new OutboxError('storage-unavailable', 'a bad disk')),
        }),
      );
    void engine.drain.wake('start');
    await system.passMs(1_000);
    expect(await all()).toMatchObject([{ state: 'pending', attempts: 0, outcome: 'never-sent' }]);
    store.transact = real;
    await system.passMs(60_000);
    expect(await all()).toMatchObject([{ state: 'delivered' }]);
  });

  it('takes no answer away from the page', async () => {
    const { fetch, store, system, all, tab } = rig({ config: { routes } });
    const real = store.transact.bind(store);
    const result = fetch('/ahead');
    await system.settle();
    store.transact = real;
    expect(await result).toMatchObject({ kind: 'answered' });

    let writes = 0;
    store.transact = (durability, work) =>
      durability !== 'read' && (writes += 1) === 2 ? Promise.reject(new Error('disk')) : real(durability, work);
    expect(await fetch('/ahead')).toMatchObject({ kind: 'answered' });
    store.transact = real;
    expect((await all()).at(-1)).toMatchObject({ state: 'sending' });
    void tab().engine.drain.wake('start');
    await system.passMs(90_000);
    expect((await all()).at(-1)).toMatchObject({ state: 'delivered' });
  });
});

describe('whoever asks whether the holder of the lock was frozen', () => {
  it('reads what it holds only while no token is given out', async () => {
    const inner = memoryStore();
    let reads = 0;
    const store: Store = {
      ...inner,
      transact: (durability, work) =>
        inner.transact(durability, (rows) => work({ ...rows, list: (query) => ((reads += 1), rows.list(query)) })),
    };
    const { context, system } = rig({ store });
    const holder = createFrozenHolder(context);
    const subjects = { '': { ...noCounts, sending: 1 } };
    const give = (token: number) =>
      store.transact('strict', (rows) => rows.putControl('book', { ...emptyBook, token, subjects }));
    for (const token of [1, 2, 3]) {
      await give(token);
      expect(await holder.suspected()).toBe(false);
      await system.passMs(61_000);
    }
    expect(reads).toBe(0);
    expect(await holder.suspected()).toBe(true);
    expect(reads).toBe(1);
  });
});
