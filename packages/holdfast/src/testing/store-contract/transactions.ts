import { emptyBook } from '../../core/control';
import { OutboxError } from '../../core/errors';
import type { Rows } from '../../ports';
import { rejects, rejectsWith, same } from '../expectation';
import { sampleEntry } from '../sample-entry';
import type { StorePromise } from './promise';

const seqs = (rows: Rows) => rows.scan(0, 1_000).then((entries) => entries.map((entry) => entry.seq));

export const transactionPromises: readonly StorePromise[] = [
  {
    title: 'gives back what was put, field for field',
    async check(store) {
      const entry = sampleEntry(7, {
        lane: null,
        meta: { order: 'A-1', lines: [1, 2, null] },
        lease: { owner: 'tab', token: 4, until: 9_000 },
        title: 'Ænd 🧷',
      });
      await store.transact('strict', (rows) => rows.put(entry));
      await store.transact('read', async (rows) => {
        same(await rows.bySeq(7), entry, 'by seq');
        same(await rows.byId('entry-7'), entry, 'by id');
        same(await rows.byKey('key-7'), entry, 'by key');
      });
    },
  },
  {
    title: 'knows nothing of what was never put',
    check: (store) =>
      store.transact('read', async (rows) => {
        same(await rows.bySeq(1), undefined, 'by seq');
        same(await rows.byId('nobody'), undefined, 'by id');
        same(await rows.byKey('nothing'), undefined, 'by key');
        same(await rows.body(1), undefined, 'body');
        same(await rows.control('book'), undefined, 'control');
        same(await rows.scan(0, 10), [], 'scan');
      }),
  },
  {
    title: 'keeps the lines of the journal apart, each under its key, and takes them back with the rest',
    async check(store) {
      const line = (key: string) => ({ key, clientId: 'page', run: 'one', print: `POST /${key} 1 2`, at: 5 });
      await store.transact('strict', async (rows) => {
        await rows.putControl('subject', { id: 'ann', at: 1 });
        for (const key of ['b', 'a', '\uffff']) await rows.putJournalLine(line(key));
        await rows.putJournalLine({ ...line('b'), lane: 'orders' });
      });
      await rejects(
        store.transact('strict', async (rows) => {
          await rows.removeJournalLine('a');
          throw new Error('no');
        }),
        'the work throws',
      );
      await store.transact('relaxed', (rows) => rows.removeJournalLine('\uffff'));
      await store.transact('read', async (rows) => {
        same(await rows.journal(), [line('a'), { ...line('b'), lane: 'orders' }], 'lines');
        same(await rows.journalLine('b'), { ...line('b'), lane: 'orders' }, 'one of them');
        same(await rows.journalLine('\uffff'), undefined, 'a removed one');
        same(await rows.control('subject'), { id: 'ann', at: 1 }, 'the rest of the control rows');
      });
    },
  },
  {
    title: 'keeps fields it does not know',
    async check(store) {
      const entry = { ...sampleEntry(1), fromTheFuture: { deep: [true] } };
      await store.transact('strict', (rows) => rows.put(entry));
      await store.transact('strict', async (rows) => rows.put({ ...(await rows.bySeq(1))!, revision: 2 }));
      const read = await store.transact('read', (rows) => rows.bySeq(1));
      same(read, { ...entry, revision: 2 }, 'the entry with its unknown field');
    },
  },
  {
    title: 'resolves with what the work returned',
    async check(store) {
      same(await store.transact('relaxed', () => Promise.resolve('done')), 'done', 'value');
    },
  },
  {
    title: 'changes nothing at all when the work throws',
    async check(store) {
      await store.transact('strict', async (rows) => {
        await rows.put(sampleEntry(1));
        await rows.putBody(1, new Uint8Array([1]));
        await rows.putControl('book', emptyBook);
      });
      const failing = store.transact('strict', async (rows) => {
        await rows.put(sampleEntry(1, { state: 'sending', revision: 2 }));
        await rows.put(sampleEntry(2));
        await rows.remove(1);
        await rows.putBody(1, new Uint8Array([2]));
        await rows.putBody(2, new Uint8Array([2]));
        await rows.removeBody(1);
        await rows.putControl('book', { ...emptyBook, nextSeq: 99 });
        throw new OutboxError('full', 'no room');
      });
      await rejectsWith('full', failing, 'the error of the work');
      await store.transact('read', async (rows) => {
        same(await rows.scan(0, 10), [sampleEntry(1)], 'rows');
        same(await rows.byKey('key-2'), undefined, 'key of the row that was taken back');
        same(await rows.ready('ann\nhttps://api.example\norders\n3', 9_999, 9), [sampleEntry(1)], 'ready');
        same(await rows.body(1), new Uint8Array([1]), 'body');
        same(await rows.body(2), undefined, 'body of the row that was taken back');
        same(await rows.control('book'), emptyBook, 'book');
      });
    },
  },
  {
    title: 'hands on the very error the work threw',
    async check(store) {
      const own = new Error('mine');
      const caught = await store.transact('strict', () => Promise.reject(own)).catch((error: unknown) => error);
      if (caught !== own) throw new Error('expected the same error object');
    },
  },
  {
    title: 'runs changes one after another, each on what the one before left',
    async check(store) {
      const add = () =>
        store.transact('strict', async (rows) => {
          const book = (await rows.control('book')) ?? emptyBook;
          await rows.put(sampleEntry(book.nextSeq));
          await rows.putControl('book', { ...book, nextSeq: book.nextSeq + 1 });
          return book.nextSeq;
        });
      const given = await Promise.all(Array.from({ length: 20 }, add));
      same(
        given,
        Array.from({ length: 20 }, (_, at) => at + 1),
        'each its own number, in the order they were asked',
      );
      same(await store.transact('read', seqs), given, 'all are there');
    },
  },
  {
    title: 'goes on after a work that failed',
    async check(store) {
      const results = await Promise.allSettled([
        store.transact('strict', (rows) => rows.put(sampleEntry(1))),
        store.transact('strict', async (rows) => {
          await rows.put(sampleEntry(2));
          throw new Error('stop');
        }),
        store.transact('strict', (rows) => rows.put(sampleEntry(3))),
      ]);
      same(
        results.map((result) => result.status),
        ['fulfilled', 'rejected', 'fulfilled'],
        'only one fails',
      );
      same(await store.transact('read', seqs), [1, 3], 'the others are there');
    },
  },
  {
    title: 'refuses a second row with the same id or the same key, and the work may go on',
    async check(store) {
      await store.transact('strict', (rows) => rows.put(sampleEntry(1)));
      const put = (entry: ReturnType<typeof sampleEntry>) => store.transact('strict', (rows) => rows.put(entry));
      await rejectsWith('duplicate-key', put(sampleEntry(2, { key: 'key-1' })), 'the same key');
      await rejectsWith('duplicate-key', put(sampleEntry(2, { id: 'entry-1' })), 'the same id');
      await store.transact('strict', async (rows) => {
        await rows.put(sampleEntry(2, { key: 'key-1' })).catch(() => undefined);
        await rows.put(sampleEntry(3));
      });
      same(await store.transact('read', seqs), [1, 3], 'what is there');
    },
  },
  {
    title: 'does nothing of a work when one of its writes is refused, whatever was written after that',
    async check(store) {
      await store.transact('strict', (rows) => rows.put(sampleEntry(1)));
      const late = store.transact('strict', async (rows) => {
        await rows.put(sampleEntry(2, { key: 'key-1' }));
        await rows.put(sampleEntry(3));
        await rows.putControl('sentinel', { createdAt: 1, schema: 1, device: 'late' });
      });
      await rejectsWith('duplicate-key', late, 'the write that was refused');
      same(await store.transact('read', seqs), [1], 'what is there');
    },
  },
  {
    title: 'tells a work of its duplicate, not of what that led to',
    async check(store) {
      await store.transact('strict', (rows) => rows.put(sampleEntry(1)));
      const misled = store.transact('strict', async (rows) => {
        await rows.put(sampleEntry(2, { key: 'key-1' }));
        throw new Error('thrown after the duplicate');
      });
      await rejectsWith('duplicate-key', misled, 'the first thing that went wrong');
      same(await store.transact('read', seqs), [1], 'what is there');
    },
  },
  {
    title: 'lets a row keep its own id and key, and gives them free when it goes',
    async check(store) {
      await store.transact('strict', (rows) => rows.put(sampleEntry(1)));
      await store.transact('strict', (rows) => rows.put(sampleEntry(1, { revision: 2 })));
      await store.transact('strict', async (rows) => {
        await rows.remove(1);
        await rows.put(sampleEntry(2, { id: 'entry-1', key: 'key-1' }));
      });
      same((await store.transact('read', (rows) => rows.byKey('key-1')))?.seq, 2, 'the new owner of the key');
    },
  },
  {
    title: 'shares nothing with its callers',
    async check(store) {
      const bytes = new Uint8Array([1, 2]);
      const meta: { tags: string[] } = { tags: ['a'] };
      const body = { size: 2, type: '', kind: 'inline', bytes } as const;
      await store.transact('strict', async (rows) => {
        await rows.put(sampleEntry(1, { meta, body }));
        await rows.putBody(1, bytes);
      });
      bytes[0] = 9;
      meta.tags.push('b');
      const first = await store.transact('read', (rows) => rows.bySeq(1));
      (first?.meta as { tags: string[] }).tags.push('c');
      first!.body.bytes![1] = 9;
      const [entry, kept] = await store.transact('read', (rows) => Promise.all([rows.bySeq(1), rows.body(1)]));
      same(entry?.meta, { tags: ['a'] }, 'plain data');
      same(entry?.body.bytes, new Uint8Array([1, 2]), 'inline bytes');
      same(kept, new Uint8Array([1, 2]), 'body');
    },
  },
  {
    title: 'does not change anything in a read',
    async check(store) {
      await rejects(
        store.transact('read', (rows) => rows.put(sampleEntry(1))),
        'a put in a read',
      );
      same(await store.transact('read', seqs), [], 'nothing was put');
    },
  },
  {
    title: 'keeps control records apart by name',
    async check(store) {
      await store.transact('relaxed', (rows) => rows.putControl('sentinel', { createdAt: 5, schema: 1, device: 'd' }));
      await store.transact('relaxed', (rows) => rows.putControl('book', emptyBook));
      await store.transact('read', async (rows) => {
        same(await rows.control('sentinel'), { createdAt: 5, schema: 1, device: 'd' }, 'sentinel');
        same(await rows.control('book'), emptyBook, 'book');
        same(await rows.control('gates'), undefined, 'gates');
      });
    },
  },
  {
    title: 'says that it was closed',
    async check(store) {
      await store.transact('read', seqs);
      store.close();
      await rejectsWith('closed', store.transact('read', seqs), 'after close');
    },
  },
];
