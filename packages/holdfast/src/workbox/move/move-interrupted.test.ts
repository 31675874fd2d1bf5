import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { memoryStore } from '../../browser/memory-store';
import { contextLock } from '../../browser/web-lock';
import type { Entry } from '../../core/entry';
import type { Context } from '../../flow/context';
import { change } from '../../flow/ledger';
import { rig, type Rig } from '../../testing/rig';
import { queueConfig } from '../queue-config';
import { moveQueues, type Heir } from './move-queues';
import { openOldDatabase, type OpenOldDatabase } from './old-database';
import { databaseNames, leave, minute, post, removeOldDatabases } from './old-rows.fixture';

const heirs: readonly Heir[] = [{ name: 'api', retentionMs: 60 * minute }];
const at = (entry: Entry): string => entry.request.url;
const context = (world: Rig): Context => ({
  ...world.context,
  config: queueConfig({ log: (record) => void world.logs.push(record) }, () => false),
  lock: contextLock(),
});

afterEach(removeOldDatabases);

describe('a worker that dies in the middle of the move', () => {
  /** Dies before or after the nth thing it waits for; `finished` says whether it got to the end before. */
  async function startAndDie(world: Rig, steps: number): Promise<{ finished: boolean }> {
    let left = steps;
    let die = (): void => undefined;
    const dead = new Promise<{ finished: boolean }>((resolve) => (die = () => resolve({ finished: false })));
    const connections: { close(): void }[] = [];
    const never = () => {
      die();
      return new Promise<never>(() => undefined);
    };
    const step = async <T>(work: () => Promise<T>): Promise<T> => {
      if ((left -= 1) < 0) return never();
      const value = await work();
      return (left -= 1) < 0 ? never() : value;
    };
    const open: OpenOldDatabase = async (name) => {
      const old = await step(() => openOldDatabase(name));
      if (!old) return undefined;
      connections.push(old);
      return {
        rows: (limit, after) => step(() => old.rows(limit, after)),
        remove: (ids) => step(() => old.remove(ids)),
        dropIfEmpty: () => step(() => old.dropIfEmpty()),
        close: () => old.close(),
      };
    };
    const own = context(world);
    const mortal: Context = {
      ...own,
      store: { ...own.store, transact: (durability, work) => step(() => own.store.transact(durability, work)) },
    };
    const end = await Promise.race([dead, moveQueues(mortal, heirs, open).then(() => ({ finished: true }))]);
    // Its connections die with it.
    for (const connection of connections) connection.close();
    return end;
  }

  /** Everything that waits is delivered and forgotten, as the next hours would have it. */
  async function deliverAll(world: Rig, delivered: string[]): Promise<void> {
    await change(world.store, 'strict', async (ledger) => {
      for (const entry of await ledger.rows.list({ subject: '', state: 'pending', limit: 1_000 })) {
        delivered.push(at(entry));
        await ledger.remove(entry);
      }
    });
  }

  const rowsOf = (now: number) => [
    ...Array.from({ length: 4 }, (_, n) => post(`https://app.example/${n}`, now)),
    post('https://app.example/old', now - 61 * minute),
    { requestData: { url: 'no url', headers: {} }, timestamp: now },
  ];
  const urls = [0, 1, 2, 3].map((n) => `https://app.example/${n}`);

  it('has moved each row once at every step, whatever was delivered in between', async () => {
    for (let steps = 0; ; steps += 1) {
      const world = rig();
      const delivered: string[] = [];
      await leave(rowsOf(world.system.now()));
      const { finished } = await startAndDie(world, steps);
      await deliverAll(world, delivered);
      await moveQueues(context(world), heirs, openOldDatabase);
      await deliverAll(world, delivered);
      expect(delivered, `died at step ${steps}`).toEqual(urls);
      expect((await world.all()).map(({ dead }) => dead?.reason)).toEqual(['expired', 'unreadable']);
      expect(await databaseNames()).not.toContain('workbox-background-sync');
      if (finished) return expect(steps).toBeGreaterThan(15);
    }
  });

  it('may die as often as it likes', async () => {
    const start = fc.record({ steps: fc.nat(24), delivers: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(start, { maxLength: 6 }), async (starts) => {
        await removeOldDatabases();
        const world = rig();
        const delivered: string[] = [];
        await leave(rowsOf(world.system.now()));
        for (const { steps, delivers } of starts) {
          await startAndDie(world, steps);
          if (delivers) await deliverAll(world, delivered);
        }
        await moveQueues(context(world), heirs, openOldDatabase);
        await deliverAll(world, delivered);
        expect(delivered).toEqual(urls);
        expect((await world.all()).map(({ dead }) => dead?.reason)).toEqual(['expired', 'unreadable']);
        expect(await databaseNames()).not.toContain('workbox-background-sync');
      }),
      { numRuns: 60 },
    );
  });

  it('leaves no note that could stand in the way of a row that comes later', async () => {
    const world = rig();
    const now = world.system.now();
    await leave([post('https://app.example/1', now)]);
    await moveQueues(context(world), heirs, openOldDatabase);
    // Back to Workbox for a day: its ids begin at 1 again.
    await leave([post('https://app.example/1', now)]);
    await moveQueues(context(world), heirs, openOldDatabase);
    expect(await world.all()).toHaveLength(2);
    expect(await world.store.transact('read', (rows) => rows.control('moved'))).toEqual({});
  });

  it('starts twice at once: one of them moves, the other finds nothing', async () => {
    const world = rig({ store: memoryStore() });
    await leave(rowsOf(world.system.now()));
    const lock = contextLock();
    const both = [1, 2].map(() => moveQueues({ ...context(world), lock }, heirs, openOldDatabase));
    expect((await Promise.all(both)).flat()).toEqual(['api']);
    expect(await world.all()).toHaveLength(6);
  });
});
