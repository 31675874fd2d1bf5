import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json';
import { defaultFingerprint, fingerprint } from './fingerprint';
import type { FingerprintOptions } from './fingerprint';

const bytesOf = (data: string | Uint8Array): Uint8Array =>
  typeof data === 'string' ? new TextEncoder().encode(data) : data;

async function print(
  data: string | Uint8Array,
  contentType: string | null = 'application/json',
  options: FingerprintOptions = {},
  contentEncoding: string | null = null,
): Promise<string> {
  return fingerprint({ bytes: bytesOf(data), contentType, contentEncoding }, { ...defaultFingerprint, ...options });
}

describe('two JSON bodies are the same payload', () => {
  it('whatever the order of members, the white space and the spelling of numbers', async () => {
    const one = await print('{"a":1,"b":[1,2,{"c":null,"d":"é"}]}');
    expect(await print('{ "b": [1.0, 2e0, {"d":"\\u00e9","c":null}],\n "a": 1.00 }')).toBe(one);
    expect(await print('{"a":1,"b":[1,2,{"c":null,"d":"é"}]}', 'application/vnd.shop+json; charset=utf-8')).toBe(one);
  });

  it('but not if a member differs, whatever its name', async () => {
    const one = await print('{"b":1,"__proto__":{"x":1}}');
    expect(await print('{"__proto__":{"x":1},"b":1}')).toBe(one);
    expect(await print('{"b":1,"__proto__":{"x":2}}')).not.toBe(one);
    expect(await print('{"b":1}')).not.toBe(one);
  });

  it('but not if a value, an order of items or a type differs', async () => {
    const one = await print('{"a":1,"b":[1,2]}');
    const others = ['{"a":1,"b":[2,1]}', '{"a":"1","b":[1,2]}', '{"a":1,"b":[1,2],"c":null}', '{"a":1}', '{"b":[1,2]}'];
    for (const other of others) expect([other, await print(other)]).not.toEqual([other, one]);
  });

  it('but not if a number differs that JavaScript cannot tell apart', async () => {
    expect(await print('{"id":9007199254740993}')).not.toBe(await print('{"id":9007199254740992}'));
    expect(await print('{"x":0.1000000000000000055}')).not.toBe(await print('{"x":0.1}'));
    expect(await print('{"x":1e400}')).not.toBe(await print('{"x":1e401}'));
  });

  it('only byte for byte, where the option says so', async () => {
    const options = { json: 'bytes' } as const;
    expect(await print('{"a":1}', 'application/json', options)).not.toBe(
      await print('{"a": 1}', 'application/json', options),
    );
    expect(await print('{"a":1}', 'application/json', options)).toBe(
      await print('{"a":1}', 'application/json', options),
    );
  });

  it('without the members that are ignored, and only those', async () => {
    const options = { ignore: ['csrf', '/meta/sentAt', '/a~1b'] };
    const one = await print('{"sku":"X1","csrf":"1","meta":{"sentAt":1,"v":2},"a/b":1}', 'application/json', options);
    expect(await print('{"sku":"X1","csrf":"2","meta":{"sentAt":9,"v":2}}', 'application/json', options)).toBe(one);
    expect(await print('{"sku":"X1","meta":{"v":3}}', 'application/json', options)).not.toBe(one);
    expect(await print('{"sku":"X1","meta":{"v":2,"csrf":"1"}}', 'application/json', options)).not.toBe(one);
  });

  it('if they are equal as values, for any value: the canonical text depends on nothing else', () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, item]) => [name, shuffled(item)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const canonical = canonicalJson(text);
        if (canonical === undefined) return /\d{3}/.test(text);
        expect(canonicalJson(JSON.stringify(shuffled(value), null, 2))).toBe(canonical);
        expect(JSON.parse(canonical)).toEqual(JSON.parse(text));
        return true;
      }),
    );
  });

  it('and bodies that only claim to be JSON are compared by their bytes', async () => {
    const broken = [await print('{"a":1'), await print('{"a":1 '), await print(Uint8Array.of(0x22, 0xff, 0x22))];
    expect(new Set(broken).size).toBe(3);
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(await print(deep)).toMatch(/^b/);
  });
});

describe('two multipart bodies are the same payload', () => {
  const body = (boundary: string, file = 'abc', token = '1'): string =>
    [
      `--${boundary}\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n`,
      `--${boundary}\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n${token}\r\n`,
      `--${boundary}\r\nContent-Disposition: form-data; name="f"; filename="a.bin"\r\nContent-Type: x/y\r\n\r\n${file}\r\n`,
      `--${boundary}--\r\n`,
    ].join('');
  const type = (boundary: string): string => `multipart/form-data; boundary=${boundary}`;

  it('whatever the boundary', async () => {
    const one = await print(body('----one'), type('----one'));
    expect(one).toMatch(/^f/);
    expect(await print(body('two'), type('"two"'))).toBe(one);
  });

  it('but not if a part differs', async () => {
    const one = await print(body('b'), type('b'));
    expect(await print(body('b', 'abd'), type('b'))).not.toBe(one);
    expect(await print(body('b').replace('a.bin', 'b.bin'), type('b'))).not.toBe(one);
    expect(await print(body('b').replace('hello\r\n', 'hello\r\n\r\n'), type('b'))).not.toBe(one);
  });

  it('without the fields that are ignored', async () => {
    const options = { ignore: ['csrf'] };
    const one = await print(body('b', 'abc', '1'), type('b'), options);
    expect(await print(body('c', 'abc', '2'), type('c'), options)).toBe(one);
    expect(await print(body('b', 'abx', '1'), type('b'), options)).not.toBe(one);
  });

  it('as a real FormData with a file of any bytes makes them', async () => {
    const send = async (last: number): Promise<string> => {
      const form = new FormData();
      form.set('note', 'hello');
      form.set(
        'photo',
        new Blob([Uint8Array.from({ length: 300 }, (_, n) => n % 256), Uint8Array.of(13, 10, 45, 45, last)]),
        'p.png',
      );
      const sent = new Request('http://x.test/', { method: 'POST', body: form });
      return print(new Uint8Array(await sent.arrayBuffer()), sent.headers.get('content-type'));
    };
    expect(await send(1)).toBe(await send(1));
    expect(await send(1)).not.toBe(await send(2));
    expect(await send(1)).toMatch(/^f/);
  });

  it('only byte for byte, where they are not well formed', async () => {
    for (const text of ['', '--b', '--b\r\n', '--b\r\nx\r\n\r\n', 'x--b--', '--b\r\nA: b\r\n\r\nopen']) {
      const made = await print(text, type('b'));
      expect([text, made[0]]).toEqual([text, 'b']);
    }
  });

  it('with an empty part, and with none', async () => {
    expect(await print('--b\r\nA: b\r\n\r\n\r\n--b--', type('b'))).toMatch(/^f/);
    expect(await print('--b--', type('b'))).toMatch(/^f/);
  });
});

describe('a body', () => {
  it('is the same payload packed or plain', async () => {
    const text = '{"sku":"X1"}';
    const one = await print(text);
    expect(await print(gzipSync(text), 'application/json', {}, 'gzip')).toBe(one);
    expect(await print(gzipSync(text, { level: 1 }), 'application/json', {}, 'x-gzip')).toBe(one);
    expect(await print(deflateSync(text), 'application/json', {}, 'deflate')).toBe(one);
    expect(await print(text, 'application/json', {}, 'identity')).toBe(one);
  });

  it('that unpacks to more than is allowed, or does not unpack, counts by its packed bytes', async () => {
    const bomb = gzipSync('x'.repeat(100_000));
    expect(await print(bomb, 'text/plain', { maxDecodedBytes: 1_000 }, 'gzip')).toMatch(/^z/);
    expect(await print('no gzip', 'text/plain', {}, 'gzip')).toMatch(/^z/);
    expect(await print(brotliCompressSync('x'), 'text/plain', {}, 'br')).toMatch(/^z/);
  });

  it('of a form counts without ignored fields', async () => {
    const type = 'application/x-www-form-urlencoded';
    const options = { ignore: ['_token'] };
    expect(await print('a=1&_token=x&b=2', type, options)).toBe(await print('a=1&_token=y&b=2', type, options));
    expect(await print('a=1&b=2', type, options)).not.toBe(await print('a=1&b=3', type, options));
    expect(await print('a=1&_token=x', type)).not.toBe(await print('a=1&_token=y', type));
  });

  it('of one type cannot pass for one of another', async () => {
    const text = '{"a":1}';
    const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded'];
    const prints = await Promise.all(types.map((type) => print(text, type, { ignore: ['b'] })));
    expect(new Set(prints).size).toBe(3);
  });

  it('that is empty is the same payload whatever its type', async () => {
    expect(await print('', 'text/plain')).toBe(await print('', null));
    expect(await print('', null)).not.toBe(await print(' ', null));
  });

  it('of any bytes has its own fingerprint', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 40 }), async (a, b) => {
        const [one, two] = [await print(a, 'image/png'), await print(b, 'image/png')];
        expect(one === two).toBe(Buffer.compare(a, b) === 0);
      }),
    );
  });
});
