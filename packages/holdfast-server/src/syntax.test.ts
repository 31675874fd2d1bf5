import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { parseItem } from 'structured-headers';
import { describe, expect, it } from 'vitest';
import { whyMalformed } from './malformed';
import { parseIdempotencyKey, readKey } from './syntax';

describe('parseIdempotencyKey', () => {
  it('reads a String item, with spaces around and parameters after it', () => {
    expect(parseIdempotencyKey('"8e03978e-40d5"')).toBe('8e03978e-40d5');
    expect(parseIdempotencyKey('  "a b"  ')).toBe('a b');
    expect(parseIdempotencyKey('"a\\"b\\\\c"')).toBe('a"b\\c');
    expect(parseIdempotencyKey('"k";v=1;x;y="z";t=tok/en;d=1.5;b=:YQ==:;q=?1;n=@17;s=%"f%c3%bc"')).toBe('k');
    expect(parseIdempotencyKey('""')).toBe('');
  });

  it('takes nothing else for one', () => {
    const others = ['k', '12', ':YQ==:', '?1', '"k', 'k"', '"k"x', '"a", "b"', '("a")', '', '"a\tb"', '"é"', '"a\\x"'];
    const broken = [
      '"k";',
      '"k";V=1',
      '"k"; =1',
      '"k";v=',
      '"k";v=1.',
      '"k";v=1.2345',
      '"k";v=1234567890123456',
      '\t"k"',
    ];
    for (const text of [...others, ...broken]) expect([text, parseIdempotencyKey(text)]).toEqual([text, null]);
  });

  it('agrees with a maintained structured-field parser on any text', () => {
    const theirs = (text: string): string | null => {
      try {
        const [value] = parseItem(text);
        return typeof value === 'string' ? value : null;
      } catch {
        return null;
      }
    };
    // No `@`: the other parser stumbles over whatever follows a Date.
    const piece = fc.constantFrom(
      '"',
      '\\',
      'a',
      ' ',
      ';',
      '=',
      'é',
      ',',
      '\t',
      '1',
      '.',
      ':',
      '?',
      '-',
      '*',
      'A',
      '%',
    );
    const text = fc.oneof(
      fc.string({ unit: piece, maxLength: 12 }),
      fc.string({ unit: piece, maxLength: 8 }).map((tail) => `"k"${tail}`),
      fc.string({ unit: piece, maxLength: 8 }).map((tail) => `"k";p=${tail}`),
      fc.string({ unit: fc.constantFrom('a', 'A', '1', '=', '/'), maxLength: 9 }).map((inner) => `"k";p=:${inner}:`),
    );
    fc.assert(
      fc.property(text, (field) => parseIdempotencyKey(field) === theirs(field)),
      { numRuns: 6_000 },
    );
  });

  const vectors = new URL('../../../../shared/vectors/idempotency-key.json', import.meta.url);
  it.skipIf(!existsSync(vectors))('passes the shared vectors', async () => {
    const { cases } = JSON.parse(await readFile(vectors, 'utf8')) as {
      cases: { name: string; raw: string[]; value: string | null; canFail?: boolean }[];
    };
    const failed = cases.filter(({ raw, value, canFail }) => !canFail && parseIdempotencyKey(raw.join(', ')) !== value);
    expect(failed).toEqual([]);
    expect(cases.length).toBeGreaterThan(200);
  });

  it('takes time in proportion to the length, whatever is sent', () => {
    const long = `"${'\\"'.repeat(20_000)}`;
    expect(parseIdempotencyKey(long)).toBeNull();
    expect(parseIdempotencyKey(`"k"${';a=1'.repeat(20_000)};`)).toBeNull();
  });
});

describe('readKey', () => {
  const read = (field: string | null): unknown => readKey(field, 255);

  it('takes "k" and k for the same key', () => {
    expect(read('"V1StGXR8_Z5jdHi6B-myT"')).toEqual(read('V1StGXR8_Z5jdHi6B-myT'));
    expect(read(' k ')).toEqual({ kind: 'key', key: 'k' });
    expect(read('8e03978e-40d5-43e8-bc93-6894a57f9324')).toMatchObject({ kind: 'key' });
    expect(read('9223372036854775807')).toMatchObject({ kind: 'key' }); // as a browser makes them
  });

  it('says what is wrong with a malformed one', () => {
    const reasons: [string, RegExp][] = [
      ['', /empty/],
      ['   ', /empty/],
      ['""', /the key is empty/],
      ['k'.repeat(256), /256 characters; at most 255/],
      [`"${'k'.repeat(256)}"`, /256 characters/],
      ['schlüssel', /not printable ASCII/],
      ['"schlüssel"', /not printable ASCII/],
      ['"a\tb"', /not printable ASCII/],
      ['"a", "b"', /more than once/],
      ['a, b', /more than once/],
      ['"a\\n"', /escape/],
      ['"a', /end where it should/],
      ['a b', /neither/],
      ['a"b', /neither/],
    ];
    for (const [field, reason] of reasons) {
      const reading = readKey(field, 255);
      expect(reading.kind === 'malformed' && whyMalformed(reading.text, 255)).toMatch(reason);
    }
  });

  it('counts the length after decoding', () => {
    expect(read(`"${'\\"'.repeat(255)}"`)).toMatchObject({ kind: 'key' });
    expect(read(`"${'\\"'.repeat(256)}"`)).toMatchObject({ kind: 'malformed' });
  });

  it('knows a request without a key', () => {
    expect(read(null)).toEqual({ kind: 'absent' });
  });
});
