import { describe, expect, it } from 'vitest';

/** Why an entry keeps plain header pairs and bytes, and an error travels as `{ code, message }`. */
describe('structured clone', () => {
  const name = (work: () => unknown): string => {
    try {
      work();
      return 'cloned';
    } catch (error) {
      return error instanceof DOMException ? error.name : String(error);
    }
  };

  it('refuses Headers, Request and Response, so that none of them can be stored or posted', () => {
    const refused = [new Headers({ a: 'b' }), new Request('/'), new Response('x')];
    expect(refused.map((one) => name(() => structuredClone(one)))).toEqual(refused.map(() => 'DataCloneError'));
  });

  it('keeps header pairs, bytes and Blobs', async () => {
    const copy = structuredClone({
      headers: [['Content-Type', 'image/png']],
      bytes: new Uint8Array([1, 2]),
      blob: new Blob(['photo'], { type: 'image/png' }),
    });
    expect(copy.headers).toEqual([['Content-Type', 'image/png']]);
    expect([...copy.bytes]).toEqual([1, 2]);
    expect([copy.blob.type, await copy.blob.text()]).toEqual(['image/png', 'photo']);
  });

  it('drops the code of an error', () => {
    const error = Object.assign(new Error('full'), { code: 'storage-full' });
    expect('code' in structuredClone(error)).toBe(false);
  });
});
