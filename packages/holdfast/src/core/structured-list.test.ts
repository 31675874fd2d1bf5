import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStructuredList } from './structured-list';

const bare = (item: unknown): unknown => [{ item, parameters: new Map() }];

describe('parseStructuredList', () => {
  it.each([
    ['42', { kind: 'integer', value: 42 }],
    ['-42', { kind: 'integer', value: -42 }],
    ['999999999999999', { kind: 'integer', value: 999_999_999_999_999 }],
    ['4.5', { kind: 'decimal', value: 4.5 }],
    ['-123456789012.125', { kind: 'decimal', value: -123456789012.125 }],
    ['"a \\"b\\" \\\\ c"', { kind: 'string', value: 'a "b" \\ c' }],
    ['""', { kind: 'string', value: '' }],
    ['a/b:c*!', { kind: 'token', value: 'a/b:c*!' }],
    ['*x', { kind: 'token', value: '*x' }],
    [':aGk=:', { kind: 'bytes', value: 'aGk=' }],
    ['?1', { kind: 'boolean', value: true }],
    ['?0', { kind: 'boolean', value: false }],
    ['@1659578233', { kind: 'date', value: 1_659_578_233 }],
    ['%"f%c3%bc"', { kind: 'display', value: 'f%c3%bc' }],
    ['(1 "a";x 2)', { kind: 'inner-list' }],
    ['()', { kind: 'inner-list' }],
    ['( 1  2 )', { kind: 'inner-list' }],
  ])('knows %s', (field, item) => {
    expect(parseStructuredList(field)).toEqual(bare(item));
  });

  it.each([
    '1000000000000000',
    '1.2345',
    '1.',
    '1.2.3',
    '1234567890123.1',
    '--1',
    '"open',
    '"ü"',
    '"a\\b"',
    ':a b:',
    '?2',
    '@x',
    '@1.5',
    '%"%C3"',
    '(1',
    '(1"a")',
    '(1 ü)',
    '(1;=)',
    '1,',
    '1,,2',
    ',1',
    '1 2',
    '1;',
    '1;A=2',
    '1;a=',
    '1;a=ü',
    'a=1',
    'ü',
  ])('ignores all of %j', (field) => {
    expect(parseStructuredList(field)).toBeNull();
  });

  it('reads members in order, spaces and tabs around the commas', () => {
    expect(parseStructuredList('  1 \t,\t 2,3  ')?.map(({ item }) => item)).toEqual([
      { kind: 'integer', value: 1 },
      { kind: 'integer', value: 2 },
      { kind: 'integer', value: 3 },
    ]);
    expect(parseStructuredList('1\t')).toEqual(bare({ kind: 'integer', value: 1 }));
    expect(parseStructuredList('')).toEqual([]);
    expect(parseStructuredList('  ')).toEqual([]);
  });

  it('keeps parameters, the last of a name wins, a bare one is true', () => {
    expect(parseStructuredList('x;a=1; b;*c-d_e.f=?0;a="2", (1);z')).toEqual([
      {
        item: { kind: 'token', value: 'x' },
        parameters: new Map<string, unknown>([
          ['a', { kind: 'string', value: '2' }],
          ['b', { kind: 'boolean', value: true }],
          ['*c-d_e.f', { kind: 'boolean', value: false }],
        ]),
      },
      { item: { kind: 'inner-list' }, parameters: new Map([['z', { kind: 'boolean', value: true }]]) },
    ]);
  });

  it('gives back every string that may be written', () => {
    const printable = fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(printable, (value) => {
        const field = `"${value.replace(/[\\"]/g, '\\$&')}"`;
        expect(parseStructuredList(field)).toEqual(bare({ kind: 'string', value }));
      }),
    );
  });

  it('ends on any text without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'"\\(),;=:?@%*aA1.- \t') }), (text) => {
        const members = parseStructuredList(text);
        expect(members === null || Array.isArray(members)).toBe(true);
      }),
    );
  });
});
