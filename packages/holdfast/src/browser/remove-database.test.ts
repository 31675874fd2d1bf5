import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { emptyBook } from '../core/control';
import { OutboxError } from '../core/errors';
import { sampleEntry } from '../testing/sample-entry';
import { idbStore } from './idb-store';
import { removeDatabase } from './remove-database';
import { databaseName } from './schema';
import { system } from './system';

const names = async (): Promise<(string | undefined)[]> => (await indexedDB.databases()).map(({ name }) => name);
const letGo = (): undefined => undefined;

/** An outbox with one entry in it, still open in this context. */
async function used(outbox: string): Promise<ReturnType<typeof idbStore>> {
  const store = idbStore(outbox, { system });
  await store.transact('strict', async (rows) => {
    await rows.put(sampleEntry(1));
    await rows.putControl('book', { ...emptyBook, nextSeq: 2 });
  });
  return store;
}

describe('removing a database', () => {
  it('that something speaks against changes nothing, and hands on what it was', async () => {
    const store = await used('kept');
    const why = new OutboxError('still-pending', 'one waits');
    let asked: unknown;
    const removing = removeDatabase('kept', { system }, (book) => {
      asked = book;
      return why;
    });
    await expect(removing).rejects.toBe(why);
    expect(asked).toMatchObject({ nextSeq: 2 });
    expect(await store.transact('read', (rows) => rows.bySeq(1))).toMatchObject({ seq: 1 });
    store.close();
  });

  it('takes it away from those who have it open, and whoever comes later finds a new one', async () => {
    const store = await used('gone');
    await removeDatabase('gone', { system }, letGo);
    expect(await names()).not.toContain(databaseName('gone'));
    expect(await store.transact('read', (rows) => rows.bySeq(1))).toBeUndefined();
    store.close();
  });

  it('that was never there leaves none behind', async () => {
    await removeDatabase('never', { system }, letGo);
    expect(await names()).not.toContain(databaseName('never'));
  });

  it('waits for nobody who holds an old version of it: it fails, and nothing happens afterwards either', async () => {
    (await used('held')).close();
    const holder = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open(databaseName('held'));
      opening.onsuccess = () => resolve(opening.result);
    });
    const removing = removeDatabase('held', { system, openTimeoutMs: 50 }, letGo);
    await expect(removing).rejects.toMatchObject({ code: 'storage-blocked' });
    holder.close();
    const store = idbStore('held', { system });
    expect(await store.transact('read', (rows) => rows.bySeq(1))).toMatchObject({ seq: 1 });
    store.close();
  });
});
