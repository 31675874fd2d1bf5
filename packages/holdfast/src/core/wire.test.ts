import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerOf, withHeaders } from './header-pairs';
import { callOf, keyOfValue, keyValue, marked, passMark, withCall } from './wire';

describe('headerOf', () => {
  it('finds a field whatever its case, joins its lines, and tells empty from absent', () => {
    const headers = [
      ['Link', 'a'],
      ['x-empty', ''],
      ['LINK', 'b'],
    ] as const;
    expect(headerOf(headers, 'link')).toBe('a, b');
    expect(headerOf(headers, 'X-Empty')).toBe('');
    expect(headerOf(headers, 'x')).toBeNull();
  });
});

describe('withHeaders', () => {
  it('sets and removes fields, and keeps the others in order', () => {
    const headers = [
      ['A', '1'],
      ['B', '2'],
      ['a', '3'],
      ['C', '4'],
    ] as const;
    expect(withHeaders(headers, { a: '9', c: null, d: '5' })).toEqual([
      ['B', '2'],
      ['a', '9'],
      ['d', '5'],
    ]);
    expect(withHeaders(headers, {})).toEqual(headers);
  });
});

describe('the key on the wire', () => {
  it('is a quoted string, or bare by option', () => {
    expect(keyValue('k-1', { quoted: true })).toBe('"k-1"');
    expect(keyValue('a"b\\c', { quoted: true })).toBe('"a\\"b\\\\c"');
    expect(keyValue('k-1', { quoted: false })).toBe('k-1');
  });

  it.each(['', 'ü', 'a\nb', '\x7f', 'x'.repeat(256)])('cannot be %j', (key) => {
    expect(() => keyValue(key, { quoted: true })).toThrow(expect.objectContaining({ code: 'bad-option' }) as Error);
    expect(() => keyValue(key, { quoted: true })).toThrow('1 to 255 printable ASCII characters');
  });

  it('may have every length from 1 to 255', () => {
    expect(keyValue('x', { quoted: false })).toBe('x');
    expect(keyValue('x'.repeat(255), { quoted: false })).toHaveLength(255);
    expect(keyValue(' ~', { quoted: false })).toBe(' ~');
  });

  it('reads the same with quotes and without', () => {
    expect(keyOfValue(' "k-1" ')).toBe('k-1');
    expect(keyOfValue('k-1')).toBe('k-1');
    expect(keyOfValue('"')).toBe('"');
    expect(keyOfValue('"a"b"')).toBe('"a"b"');
    expect(keyOfValue('"a\\x"')).toBe('"a\\x"');
    expect(keyOfValue('x"a"')).toBe('x"a"');
    expect(keyOfValue('"a"x')).toBe('"a"x');
  });

  it('comes back as it was, for every key there can be', () => {
    const printable = fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit: printable, minLength: 1, maxLength: 255 }), (key) => {
        expect(keyOfValue(keyValue(key, { quoted: true }))).toBe(key);
      }),
    );
  });
});

describe('what a page tells its worker', () => {
  it('travels in the fragment, which no server sees, and takes the place of one that was there', () => {
    const url = withCall('https://app.example/docs/7?x=1#top', { meta: { name: 'Zoë #2' }, priority: 1 });
    expect(callOf(url)).toEqual({ meta: { name: 'Zoë #2' }, priority: 1 });
    expect(url.split('#')).toHaveLength(2);
    expect(url.split('#')[0]).toBe('https://app.example/docs/7?x=1');
    expect(marked(url)).toBe(`https://app.example/docs/7?x=1${passMark}`);
  });

  it.each(['#holdfast-call=%7B', '#holdfast-call=[1]', '#holdfast-call=null', '#holdfast-call=%', '#top', ''])(
    'is nothing when it is junk: %j',
    (fragment) => {
      expect(callOf(`https://app.example/${fragment}`)).toEqual({});
    },
  );
});
