import { describe, expect, it } from 'vitest';
import { memoryStore } from './memory-store';
import { sampleEntry } from './sample-entry';
import { storeContract } from './store.contract';

describe('the memory store keeps the contract: it', () => {
  for (const { title, run } of storeContract(() => memoryStore())) it(title, run);
});

describe('the memory store', () => {
  it('says that it is only memory, and why', () => {
    const problem = { code: 'storage-unavailable', message: 'storage is denied' };
    expect(memoryStore({ problem }).status()).toEqual({ durability: 'memory', problem });
    expect(memoryStore().status()).toEqual({ durability: 'memory' });
  });

  it('refuses what a browser could not store, where Node would lose it silently', async () => {
    const store = memoryStore();
    const put = (meta: unknown) =>
      store.transact('strict', (rows) => rows.put({ ...sampleEntry(1), meta } as ReturnType<typeof sampleEntry>));
    await expect(put({ on: () => undefined })).rejects.toMatchObject({ code: 'not-storable' });
    await expect(put(new Headers({ a: 'b' }))).rejects.toMatchObject({
      code: 'not-storable',
      message: expect.stringContaining('entry.meta is Headers') as string,
    });
    await expect(put([new Error('x')])).rejects.toMatchObject({ code: 'not-storable' });
    await expect(put(Object.create(null))).resolves.toBeUndefined();
  });

  it('does not serve rows to a work that has ended', async () => {
    const store = memoryStore();
    const late = await store.transact('strict', (rows) => Promise.resolve(() => rows.put(sampleEntry(1))));
    await expect(late()).rejects.toThrow(TypeError);
  });
});
