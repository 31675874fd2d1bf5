import { describe, expect, it } from 'vitest';
import { allBytes, ask, handClock } from '../testing/asks';
import { memoryStore } from './memory';
import { storeContract } from './store.contract';

describe('the memory store', () => {
  storeContract((clock) => Promise.resolve(memoryStore({ clock })));

  it('refuses a new key when it is full, rather than forget one that is still wanted', async () => {
    const { now, pass } = handClock();
    const store = memoryStore({ clock: now, maxKeys: 2 });
    await store.claim(ask('one', 'a'));
    await store.finish(ask('one', 'a'), allBytes);
    await store.claim(ask('two', 'a'));
    await expect(store.claim(ask('three', 'a'))).rejects.toMatchObject({ code: 'store-full' });
    expect(await store.claim(ask('one', 'b'))).toMatchObject({ kind: 'done' });
    pass(1_100_000);
    expect(await store.claim(ask('three', 'a'))).toMatchObject({ kind: 'claimed' });
  });

  it('reaches every record by sweeping again and again, though one sweep looks at few', async () => {
    const { now, pass } = handClock();
    const store = memoryStore({ clock: now });
    for (let n = 0; n < 100; n += 1) await store.claim(ask(`id-${n}`, 'a'));
    pass(1_100_000);
    let swept = 0;
    for (let n = 0; n < 200; n += 1) swept += await store.sweep(1);
    expect(swept).toBe(100);
  });
});
