import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlobLike, Body } from '../ports';
import { memoryStore } from '../testing/memory-store';
import { BLOB_BYTES, bodyKeeper, DIGEST_BYTES, INLINE_BYTES, loadBody } from './bodies';
import { joinPieces, PIECE_BYTES, piecesOf } from './body-pieces';

const room = (keeps: boolean) => ({ keepsBlobs: () => Promise.resolve(keeps) });
const keep = bodyKeeper(room(true));
const bytes = (size: number) => Uint8Array.from({ length: size }, (_, at) => (at * 7) % 256);
const bytesOf = async (body: Body | null | undefined) =>
  body instanceof Uint8Array ? body : new Uint8Array(await body!.arrayBuffer());

/** Stores and loads as the flow does. */
async function roundTrip(body: Body | null, keeper = keep) {
  const store = memoryStore();
  const { info, apart } = await keeper(body, 'text/plain');
  if (apart) await store.transact('strict', (rows) => rows.putBody(1, apart));
  return { info, apart, store, load: () => loadBody(store, { seq: 1, body: info }) };
}

describe('where a body goes', () => {
  it('into the row up to 4 KiB, as bytes up to 128 KiB, as a Blob above', async () => {
    for (const [size, kind, form] of [
      [0, 'inline', 'undefined'],
      [INLINE_BYTES, 'inline', 'undefined'],
      [INLINE_BYTES + 1, 'apart', 'Uint8Array'],
      [BLOB_BYTES, 'apart', 'Uint8Array'],
      [BLOB_BYTES + 1, 'apart', 'Blob'],
    ] as const) {
      for (const body of [bytes(size), new Blob([bytes(size)])]) {
        const { info, apart } = await roundTrip(body);
        expect([size, info.kind, info.size, apart === undefined ? 'undefined' : apart.constructor.name]).toEqual([
          size,
          kind,
          size,
          form,
        ]);
      }
    }
  });

  it('nowhere when there is none', async () => {
    const { info, apart, load } = await roundTrip(null);
    expect([info, apart, await load()]).toEqual([{ size: 0, type: 'text/plain', kind: 'none' }, undefined, null]);
  });

  it('as bytes of any size where the engine keeps no Blob', async () => {
    const { apart, load } = await roundTrip(new Blob([bytes(BLOB_BYTES + 9)]), bodyKeeper(room(false)));
    expect(apart).toBeInstanceOf(Uint8Array);
    expect(await bytesOf(await load())).toEqual(bytes(BLOB_BYTES + 9));
  });

  it('does not ask the engine about Blobs for small ones', async () => {
    const keeper = bodyKeeper({ keepsBlobs: () => Promise.reject(new Error('asked')) });
    await expect(keeper(bytes(BLOB_BYTES), '')).resolves.toBeDefined();
  });

  it('without what surrounds it in a larger buffer', async () => {
    const { info } = await roundTrip(bytes(100).subarray(10, 20));
    expect(info.bytes?.buffer.byteLength).toBe(10);
  });

  it('is an error when its bytes cannot be read', async () => {
    const gone: BlobLike = {
      size: 9,
      type: '',
      arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')),
    };
    await expect(keep(gone, '')).rejects.toMatchObject({ code: 'not-storable' });
  });
});

describe('a stored body', () => {
  it('comes back byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 9_000 }), fc.boolean(), async (body, asBlob) => {
        const { load } = await roundTrip(asBlob ? new Blob([body]) : body);
        expect(await bytesOf(await load())).toEqual(body);
      }),
      { numRuns: 50 },
    );
  });

  it('has a SHA-256 digest up to 1 MiB where it lies apart', async () => {
    expect((await keep(bytes(INLINE_BYTES), '')).info.digest).toBeUndefined();
    const { info } = await keep(new Uint8Array(10_000), '');
    expect(info.digest).toBe('95b532cc4381affdff0d956e12520a04129ed49d37e154228368fe5621f0b9a2');
    expect((await keep(bytes(DIGEST_BYTES), '')).info.digest).toMatch(/^[0-9a-f]{64}$/);
    expect((await keep(bytes(DIGEST_BYTES + 1), '')).info.digest).toBeUndefined();
  });

  it('is not sent when it is gone, cut short or altered', async () => {
    const { info, store, load } = await roundTrip(bytes(10_000));
    const change = (body: Body) => store.transact('strict', (rows) => rows.putBody(1, body));
    expect(info.digest).toBeDefined();
    await change(bytes(9_999));
    await expect(load()).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining('9999 bytes instead') as string,
    });
    await change(bytes(10_000).fill(0, 5, 9));
    await expect(load()).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining('not those') as string,
    });
    await store.transact('strict', (rows) => rows.removeBody(1));
    await expect(load()).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining('gone') as string,
    });
  });
});

describe('pieces', () => {
  it('of bytes over 4 MiB are several, and together the same again', async () => {
    const body = new Uint8Array(2 * PIECE_BYTES + 3).map((_, at) => at % 251);
    const pieces = piecesOf(body);
    expect(pieces.map((piece) => (piece as Uint8Array).length)).toEqual([PIECE_BYTES, PIECE_BYTES, 3]);
    const joined = await bytesOf(joinPieces(pieces));
    expect(Buffer.compare(joined, body)).toBe(0);
  });

  it('own their buffers: a view would be stored with all that surrounds it', () => {
    const [piece] = piecesOf(bytes(100).subarray(10, 20)) as [Uint8Array];
    expect([piece.length, piece.buffer.byteLength]).toEqual([10, 10]);
  });

  it('of everything else are one', () => {
    const blob = new Blob(['x']);
    expect(piecesOf(blob)).toEqual([blob]);
    expect(joinPieces([blob])).toBe(blob);
    expect(piecesOf(new Uint8Array())).toEqual([new Uint8Array()]);
    expect(joinPieces([])).toBeUndefined();
  });
});
