import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyBook } from '../core/control';
import { OutboxError } from '../core/errors';
import type { Durability, Rows, Store } from '../ports';
import { fakeSystem } from '../testing/fake-system';
import { sampleEntry } from '../testing/sample-entry';
import { storeContract } from '../testing/store.contract';
import { groupCommit } from './group-commit';
import { idbStore } from './idb-store';
import { memoryStore } from './memory-store';

let made = 0;
const onDisk = () => idbStore(`group-${(made += 1)}`, { system: fakeSystem() });

/** A store that notes what is asked of it. */
function counted(store: Store = memoryStore()): Store & { readonly asked: Durability[] } {
  const asked: Durability[] = [];
  return {
    ...store,
    asked,
    transact(durability, work) {
      asked.push(durability);
      return store.transact(durability, work);
    },
  };
}

/** Takes a number from the ledger and stores an entry under it. */
const add = (id: string) => async (rows: Rows) => {
  const book = (await rows.control('book')) ?? emptyBook;
  await rows.put(sampleEntry(book.nextSeq, { id, key: id }));
  await rows.putControl('book', { ...book, nextSeq: book.nextSeq + 1 });
  return book.nextSeq;
};
const ids = (store: Store) => store.transact('read', async (rows) => (await rows.scan(0, 99)).map((entry) => entry.id));

for (const [what, make] of [
  ['in memory', () => groupCommit(memoryStore())],
  ['on the disk', () => groupCommit(onDisk())],
] as const) {
  describe(`a store with group commit, ${what}, keeps the contract: it`, () => {
    for (const { title, run } of storeContract(make)) it(title, run);
  });
}

describe('writes that come together', () => {
  it('share one transaction, in order, and each sees what the one before it left', async () => {
    const store = counted();
    const grouped = groupCommit(store);
    const seqs = await Promise.all(['a', 'b', 'c', 'd'].map((id) => grouped.transact('strict', add(id))));
    expect(seqs).toEqual([1, 2, 3, 4]);
    expect(store.asked).toEqual(['strict']);
    expect(await ids(store)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are as durable as the strictest of them asked', async () => {
    const store = counted();
    const grouped = groupCommit(store);
    await Promise.all([grouped.transact('relaxed', add('a')), grouped.transact('strict', add('b'))]);
    await Promise.all([grouped.transact('relaxed', add('c')), grouped.transact('relaxed', add('d'))]);
    expect(store.asked).toEqual(['strict', 'relaxed']);
  });

  it('do not hold up reads, which go on their own', async () => {
    const store = counted();
    await groupCommit(store).transact('read', (rows) => rows.scan(0, 9));
    expect(store.asked).toEqual(['read']);
  });

  it('read and write the ledger once', async () => {
    const calls: string[] = [];
    const memory = memoryStore();
    const store: Store = {
      ...memory,
      transact: (durability, work) =>
        memory.transact(durability, (rows) =>
          work({
            ...rows,
            control: (name) => (calls.push(`read ${name}`), rows.control(name)),
            putControl: (name, value) => (calls.push(`write ${name}`), rows.putControl(name, value)),
          }),
        ),
    };
    const grouped = groupCommit(store);
    await Promise.all(['a', 'b', 'c'].map((id) => grouped.transact('strict', add(id))));
    expect(calls).toEqual(['read book', 'write book']);
    expect((await store.transact('read', (rows) => rows.control('book')))?.nextSeq).toBe(4);
  });
});

describe('a work that fails', () => {
  const failing = (when: 'before' | 'after') => async (rows: Rows) => {
    if (when === 'before') throw new OutboxError('full', 'no room');
    await add('half')(rows);
    throw new OutboxError('full', 'no room after all');
  };

  for (const when of ['before', 'after'] as const) {
    it(`${when} it wrote is told alone, and leaves nothing behind`, async () => {
      const store = counted(onDisk());
      const grouped = groupCommit(store);
      const results = await Promise.allSettled([
        grouped.transact('strict', add('a')),
        grouped.transact('strict', failing(when)),
        grouped.transact('strict', add('b')),
      ]);
      expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(results[1]).toMatchObject({ reason: { code: 'full' } });
      expect(await ids(store)).toEqual(['a', 'b']);
      expect(store.asked.filter((durability) => durability !== 'read')).toHaveLength(when === 'before' ? 1 : 4);
    });
  }

  it('because of a duplicate in its own group is the later one', async () => {
    const grouped = groupCommit(onDisk());
    const results = await Promise.allSettled(['a', 'a', 'b'].map((id) => grouped.transact('strict', add(id))));
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'duplicate-key' } });
    expect(await ids(grouped)).toEqual(['a', 'b']);
  });
});

describe('a transaction that fails', () => {
  it('as a whole is everybody’s failure, and nobody is made to wait for another try', async () => {
    let tries = 0;
    const broken: Store = {
      ...memoryStore(),
      transact: () => Promise.reject(new OutboxError('storage-unavailable', `try ${(tries += 1)}`)),
    };
    const grouped = groupCommit(broken);
    const results = await Promise.allSettled([
      grouped.transact('strict', add('a')),
      grouped.transact('strict', add('b')),
    ]);
    expect(results).toMatchObject([
      { reason: { code: 'storage-unavailable' } },
      { reason: { code: 'storage-unavailable' } },
    ]);
    expect(tries).toBe(1);
  });

  it('for lack of room is tried one by one: a small one may still fit', async () => {
    const memory = memoryStore();
    let room = 2;
    const small: Store = {
      ...memory,
      transact: (durability, work) =>
        memory.transact(durability, (rows) =>
          work({
            ...rows,
            put: async (entry) => {
              if (entry.seq > room) throw new OutboxError('quota-exceeded', 'full');
              await rows.put(entry);
            },
          }),
        ),
    };
    const grouped = groupCommit(small);
    const results = await Promise.allSettled(['a', 'b', 'c'].map((id) => grouped.transact('strict', add(id))));
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    room = 9;
    expect(await grouped.transact('strict', add('d'))).toBe(3);
  });
});

describe('in any order of arrivals and failures', () => {
  it('the store holds exactly what was acknowledged, in order', async () => {
    const job = fc.record({
      wait: fc.nat(3),
      fails: fc.constantFrom('not', 'before', 'after'),
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(job, { maxLength: 12 }), async (jobs) => {
        const grouped = groupCommit(memoryStore());
        const kept: string[] = [];
        await Promise.all(
          jobs.map(async ({ wait, fails, id }) => {
            for (let turn = 0; turn < wait; turn += 1) await Promise.resolve();
            try {
              const seq = await grouped.transact('strict', async (rows) => {
                if (fails === 'before') throw new Error('before');
                const given = await add(id)(rows);
                if (fails === 'after') throw new Error('after');
                return given;
              });
              kept[seq - 1] = id;
            } catch {
              // Told, and nothing of it may be there.
            }
          }),
        );
        expect(await ids(grouped)).toEqual(kept);
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});
