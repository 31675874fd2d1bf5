import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pack, unpack } from './format';
import { batchDoor, defaultBatchDoor } from './index';

const packed = (body: Uint8Array | null, lane?: string): Record<string, unknown> => {
  const text = new TextDecoder().decode(
    pack([{ method: 'POST', target: '/orders?a=1', headers: [['idempotency-key', '"k"']], body, lane }]),
  );
  const { requests } = JSON.parse(text) as { requests: Record<string, unknown>[] };
  return requests[0] as Record<string, unknown>;
};

describe('a batch door', () => {
  it('packs a request as docs/wire.md has it', () => {
    expect(packed(new TextEncoder().encode('{"sku":"X1"}'), 'a')).toEqual({
      method: 'POST',
      target: '/orders?a=1',
      lane: 'a',
      headers: [['idempotency-key', '"k"']],
      body: { text: '{"sku":"X1"}' },
    });
    expect(packed(null)).not.toHaveProperty('lane');
    expect(packed(null)).not.toHaveProperty('body');
  });

  it('takes any bytes there and back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
        const { body } = packed(bytes);
        const text = JSON.stringify({ answers: [{ status: 201, headers: [], body }] });
        expect(unpack(text, 1)?.[0]?.body).toEqual(bytes);
      }),
    );
    const marked = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61);
    expect(packed(marked)).toMatchObject({ body: { text: '\ufeffa' } });
  });

  it('takes nothing for an answer that is none, or not one for each', () => {
    const one = { status: 201, headers: [['a', 'b']], body: null };
    expect(unpack(JSON.stringify({ answers: [one] }), 1)).toEqual([one]);
    for (const text of [
      '<h1>Sign in</h1>',
      '{}',
      'null',
      JSON.stringify({ answers: [one, one] }),
      JSON.stringify({ answers: [{ ...one, status: '201' }] }),
      JSON.stringify({ answers: [{ ...one, status: 100 }] }),
      JSON.stringify({ answers: [{ ...one, headers: [['a']] }] }),
      JSON.stringify({ answers: [{ ...one, body: { base64: '*' } }] }),
      JSON.stringify({ answers: [null] }),
    ]) {
      expect(unpack(text, 1), text).toBeUndefined();
    }
  });

  it('refuses what makes no sense', () => {
    for (const options of [{ path: 'batch' }, { path: '//other.example/' }, { maxRequests: 1 }, { maxBytes: 0 }]) {
      expect(() => batchDoor(options)).toThrow(expect.objectContaining({ code: 'bad-option' }));
    }
    const { path, maxRequests } = defaultBatchDoor;
    expect(batchDoor()).toMatchObject({ path, maxRequests });
  });
});
