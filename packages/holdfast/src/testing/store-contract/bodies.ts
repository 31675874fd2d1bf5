import type { Body } from '../../ports';
import { same } from '../expectation';
import { sampleEntry } from '../sample-entry';
import type { StorePromise } from './promise';

const bytesOf = async (body: Body | undefined) =>
  body === undefined || body instanceof Uint8Array ? body : new Uint8Array(await body.arrayBuffer());

export const bodyPromises: readonly StorePromise[] = [
  {
    title: 'keeps a body byte for byte, whatever becomes of its entry',
    async check(store) {
      const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 251);
      await store.transact('strict', async (rows) => {
        await rows.put(sampleEntry(1));
        await rows.putBody(1, bytes);
      });
      await store.transact('relaxed', (rows) => rows.put(sampleEntry(1, { state: 'sending' })));
      same(await bytesOf(await store.transact('read', (rows) => rows.body(1))), bytes, 'bytes');
    },
  },
  {
    title: 'keeps a view of a larger buffer as its own bytes only',
    async check(store) {
      const view = new Uint8Array([0, 1, 2, 3, 4]).subarray(1, 3);
      await store.transact('strict', (rows) => rows.putBody(1, view));
      same(await bytesOf(await store.transact('read', (rows) => rows.body(1))), new Uint8Array([1, 2]), 'bytes');
    },
  },
  {
    title: 'keeps an empty body apart from none',
    async check(store) {
      await store.transact('strict', (rows) => rows.putBody(1, new Uint8Array()));
      same(await bytesOf(await store.transact('read', (rows) => rows.body(1))), new Uint8Array(), 'empty');
      same(await store.transact('read', (rows) => rows.body(2)), undefined, 'none');
    },
  },
  {
    title: 'replaces and removes a body alone, and leaves its neighbours',
    async check(store) {
      await store.transact('strict', async (rows) => {
        for (const seq of [1, 2, 3]) await rows.putBody(seq, new Uint8Array([seq]));
      });
      await store.transact('strict', async (rows) => {
        await rows.putBody(1, new Uint8Array([9, 9]));
        await rows.removeBody(2);
      });
      const read = (seq: number) => store.transact('read', (rows) => rows.body(seq));
      same(await bytesOf(await read(1)), new Uint8Array([9, 9]), 'replaced');
      same(await read(2), undefined, 'removed');
      same(await bytesOf(await read(3)), new Uint8Array([3]), 'neighbour');
    },
  },
];
