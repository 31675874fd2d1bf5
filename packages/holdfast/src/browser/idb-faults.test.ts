import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyBook } from '../core/control';
import type { Rows } from '../ports';
import { type Fault, type FaultyIndexedDb, faultyIndexedDb } from '../testing/faulty-idb';
import { sampleEntry } from '../testing/sample-entry';
import { type DurableStore, idbStore } from './idb-store';
import { system } from './system';

let faulty: FaultyIndexedDb;
let made = 0;
beforeEach(() => void (faulty = faultyIndexedDb()));
afterEach(() => faulty.restore());

const ERRORS = ['QuotaExceededError', 'UnknownError', 'InvalidStateError', 'AbortError', 'DataError', 'TimeoutError'];
const anyFault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    step: fc.constantFrom('transaction', 'read', 'write', 'commit'),
    nth: fc.integer({ min: 1, max: 12 }),
    how: fc.constantFrom('throw', 'fail'),
    error: fc.constantFrom(...ERRORS),
  }),
  fc.record({
    step: fc.constant('commit'),
    nth: fc.integer({ min: 1, max: 6 }),
    how: fc.constant('lost-word'),
    error: fc.constantFrom('AbortError', 'UnknownError'),
  }),
  fc.record({
    step: fc.constant('open'),
    nth: fc.integer({ min: 1, max: 2 }),
    how: fc.constantFrom('throw', 'fail'),
    error: fc.constantFrom('UnknownError', 'QuotaExceededError'),
  }),
);

type Step = { readonly do: 'add' | 'send' | 'drop'; readonly pick: number };
const anyStep: fc.Arbitrary<Step> = fc.record({ do: fc.constantFrom('add', 'send', 'drop'), pick: fc.nat(5) });

/** What must be in the store: id → revision, which is also its body. */
type Model = Map<string, number>;

/** One change of several rows. Repeatable: it says what it wants, not how to get there from what it saw. */
async function change(rows: Rows, { do: act, pick }: Step): Promise<number | undefined> {
  const id = `id-${pick}`;
  const book = (await rows.control('book')) ?? emptyBook;
  const known = await rows.byId(id);
  await rows.putControl('book', { ...book, nextSeq: book.nextSeq + 1 });
  if (act === 'drop') {
    if (!known) return undefined;
    await rows.removeBody(known.seq);
    await rows.remove(known.seq);
    return undefined;
  }
  const revision = act === 'add' ? (known?.revision ?? 1) : 2;
  const seq = known?.seq ?? book.nextSeq;
  await rows.put({ ...sampleEntry(seq, { id, key: id }), ...known, revision });
  await rows.putBody(seq, new Uint8Array([revision]));
  return revision;
}

async function contents(store: DurableStore): Promise<{ rows: Model; bodies: Model }> {
  return store.transact('read', async (rows) => {
    const entries = await rows.scan(0, 100);
    const bodies = new Map<string, number>();
    for (const { seq, id } of entries) bodies.set(id, ((await rows.body(seq)) as Uint8Array | undefined)?.[0] ?? 0);
    return { rows: new Map(entries.map((entry) => [entry.id, entry.revision])), bodies };
  });
}

describe('whatever call of IndexedDB fails', () => {
  it('leaves no change half written, and every caller knows what became of his', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { minLength: 1, maxLength: 8 }),
        fc.array(anyFault, { maxLength: 3 }),
        async (steps, faults) => {
          const name = `faults-${(made += 1)}`;
          const store = idbStore(name, { system });
          const model: Model = new Map();
          for (const fault of faults) faulty.inject(fault);
          for (const step of steps) {
            const before = faulty.struck.length;
            try {
              const revision = await store.transact('strict', (rows) => change(rows, step));
              if (revision === undefined) model.delete(`id-${step.pick}`);
              else model.set(`id-${step.pick}`, revision);
            } catch (error) {
              expect(['storage-unavailable', 'quota-exceeded']).toContain((error as { code: string }).code);
              // When the word of a commit was lost twice, nobody can know; the caller was told that something is wrong.
              if (faulty.struck.slice(before).some((fault) => fault.how === 'lost-word')) return;
            }
          }
          faulty.calm();
          const found = await contents(store);
          expect(found.rows).toEqual(model);
          expect(found.bodies).toEqual(model);
          store.close();
        },
      ),
      { numRuns: 200 },
    );
  }, 60_000);
});

describe('one fault', () => {
  const put = (store: DurableStore) => store.transact('strict', (rows) => rows.put(sampleEntry(1)));
  const count = (store: DurableStore) => store.transact('read', async (rows) => (await rows.scan(0, 9)).length);
  const fresh = () => idbStore(`fault-${(made += 1)}`, { system });

  for (const [what, fault] of Object.entries<Fault>({
    'while it is written': { step: 'write', nth: 1, how: 'fail', error: 'QuotaExceededError' },
    'at the commit, with no request to blame': { step: 'commit', nth: 1, how: 'fail', error: 'QuotaExceededError' },
    'when the database is opened': { step: 'open', nth: 1, how: 'fail', error: 'QuotaExceededError' },
  })) {
    it(`says that the storage is full ${what}`, async () => {
      const store = fresh();
      faulty.inject(fault);
      if (fault.step === 'open') faulty.inject({ ...fault, nth: 2 });
      await expect(put(store)).rejects.toMatchObject({ code: 'quota-exceeded' });
      expect(store.status()).toMatchObject({ durability: 'durable', problem: { code: 'quota-exceeded' } });
      expect(await count(store)).toBe(0);
      expect(store.status().problem).toBeUndefined();
    });
  }

  for (const [what, fault] of Object.entries<Fault>({
    'refuses a transaction': { step: 'transaction', nth: 2, how: 'throw', error: 'InvalidStateError' },
    'is lost in a read': { step: 'read', nth: 2, how: 'fail', error: 'UnknownError' },
    'is lost in a write': { step: 'write', nth: 1, how: 'fail', error: 'UnknownError' },
    'is lost at the commit': { step: 'commit', nth: 2, how: 'fail', error: 'AbortError' },
    'is lost after the commit': { step: 'commit', nth: 2, how: 'lost-word', error: 'AbortError' },
  })) {
    it(`opens again and does the whole work again when the connection ${what}`, async () => {
      const store = fresh();
      await store.transact('read', (rows) => rows.bySeq(1));
      faulty.inject({ ...fault, nth: fault.nth - 1 || 1 });
      await store.transact('strict', async (rows) => {
        await rows.bySeq(1);
        await rows.put(sampleEntry(1));
      });
      expect(faulty.struck).toHaveLength(1);
      expect(await count(store)).toBe(1);
    });
  }

  it('is told when it comes again after the connection was opened anew', async () => {
    const store = fresh();
    for (const nth of [1, 2]) faulty.inject({ step: 'write', nth, how: 'fail', error: 'UnknownError' });
    await expect(put(store)).rejects.toMatchObject({ code: 'storage-unavailable' });
    expect(await count(store)).toBe(0);
  });

  it('of a bad value is the caller’s and does not repeat the work', async () => {
    const store = fresh();
    let runs = 0;
    const bad = store.transact('strict', (rows) => {
      runs += 1;
      return rows.put(sampleEntry(1, { meta: (() => undefined) as never }));
    });
    await expect(bad).rejects.toMatchObject({ code: 'not-storable' });
    expect(runs).toBe(1);
  });

  it('in the first try to open is mended by the second', async () => {
    const store = fresh();
    faulty.inject({ step: 'open', nth: 1, how: 'fail', error: 'UnknownError' });
    await put(store);
    expect(await count(store)).toBe(1);
  });

  it('of a backing store that is broken for a while is told, and the rows are there when it has recovered', async () => {
    const name = `fault-${(made += 1)}`;
    const before = idbStore(name, { system });
    await put(before);
    before.close();
    const store = idbStore(name, { system });
    for (const nth of [1, 2, 3, 4]) faulty.inject({ step: 'open', nth, how: 'fail', error: 'UnknownError' });
    await expect(count(store)).rejects.toMatchObject({ code: 'storage-unavailable' });
    await expect(put(store)).rejects.toMatchObject({ code: 'storage-unavailable' });
    expect(store.status().problem?.code).toBe('storage-unavailable');
    expect(await count(store)).toBe(1);
  });
});
