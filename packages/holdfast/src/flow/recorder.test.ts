import { describe, expect, it } from 'vitest';
import { OutboxError } from '../core/errors';
import type { OutboxConfig } from '../core/options';
import type { Rows, Store } from '../ports';
import { memoryStore } from '../testing/memory-store';
import { rig, type RigOptions } from '../testing/rig';

const lanes: OutboxConfig = { routes: [{ name: 'docs', match: '/docs/:id', lane: 'doc-:id' }] };

interface Hands {
  /** The rows of a transaction that writes, in other hands. */
  rows?(rows: Rows): Partial<Rows>;
  /** Called after the commit of the nth transaction that writes. */
  committed?(nth: number): void;
}

/** A rig whose strict transactions are counted and pass through other hands. */
function watched(hands: Hands = {}, options: RigOptions = {}) {
  const inner = memoryStore();
  let strict = 0;
  const store: Store = {
    ...inner,
    async transact(durability, work) {
      if (durability !== 'strict') return inner.transact(durability, work);
      const nth = (strict += 1);
      const value = await inner.transact(durability, (rows) => work({ ...rows, ...hands.rows?.(rows) }));
      hands.committed?.(nth);
      return value;
    },
  };
  return { ...rig({ config: lanes, store, ...options }), strict: () => strict };
}

const many = (count: number) => Array.from({ length: count }, (_, nth) => nth);

describe('requests that are stored at once', () => {
  it('share one transaction, and those of one lane keep their order in it', async () => {
    const { add, all, strict } = watched();
    await Promise.all(many(100).map((nth) => add(`/docs/${nth < 50 ? 'a' : 'b'}`, { body: String(nth) })));
    expect(strict()).toBe(1);
    for (const lane of ['doc-a', 'doc-b']) {
      const line = (await all()).filter((entry) => entry.lane === lane);
      const numbers = line.map(({ body }) => Number(new TextDecoder().decode(body.bytes)));
      expect(numbers).toEqual(many(100).filter((nth) => (lane === 'doc-a' ? nth < 50 : nth >= 50)));
    }
  });

  it('are looked up by their keys only where the app gave them', async () => {
    const asked: string[] = [];
    const { add } = watched({ rows: (rows) => ({ byKey: (key) => (asked.push(key), rows.byKey(key)) }) });
    await Promise.all([
      add('/docs/a'),
      add('/docs/a', {}, { key: 'of-the-call' }),
      add('/docs/b', { headers: { 'idempotency-key': '"of-the-header"' } }),
      add('/docs/b'),
    ]);
    expect(asked.sort()).toEqual(['of-the-call', 'of-the-header']);
  });

  it('are looked up by keys that are counted, which another page may have made too', async () => {
    const asked: string[] = [];
    const hands: Hands = { rows: (rows) => ({ byKey: (key) => (asked.push(key), rows.byKey(key)) }) };
    const { add } = watched(hands, { config: { ...lanes, key: { kind: 'device-time-sequence' } } });
    const entry = await add('/docs/a');
    expect(asked).toEqual([entry.key]);
  });

  it('fail alone: one whose write aborts the transaction takes no neighbour with it', async () => {
    const disk = new OutboxError('quota-exceeded', 'no room for this one');
    const { add, all } = watched({
      rows: (rows) => ({
        // As an engine does it: the write seems done, and the transaction fails.
        put: (entry) => rows.put(entry),
        async putControl(name, value) {
          const stored = await rows.scan(0, 100);
          if (stored.some(({ request }) => request.url.endsWith('/b'))) throw disk;
          await rows.putControl(name, value);
        },
      }),
    });
    const made = await Promise.allSettled(['a', 'b', 'c'].map((id) => add(`/docs/${id}`)));
    expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(made[1]).toMatchObject({ reason: { code: 'quota-exceeded' } });
    expect((await all()).map(({ request }) => request.url.at(-1))).toEqual(['a', 'c']);
  });

  it('are refused alone: a key that is taken leaves neighbours and counts as they are', async () => {
    const { add, all, store } = watched();
    await add('/docs/a', { body: 'one' }, { key: 'taken' });
    const made = await Promise.allSettled([
      add('/docs/a'),
      add('/docs/a', { body: 'another' }, { key: 'taken' }),
      add('/docs/b'),
    ]);
    expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await all()).toHaveLength(3);
    const book = await store.transact('read', (rows) => rows.control('book'));
    expect(book?.subjects['']).toMatchObject({ pending: 3 });
  });

  it('are stored once when the word of their commit was lost', async () => {
    const { add, all } = watched({
      committed(nth) {
        if (nth === 1) throw new OutboxError('storage-unavailable', 'committed, but nobody heard of it');
      },
    });
    const made = await Promise.all(many(3).map(() => add('/docs/a')));
    expect((await all()).map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  });
});
