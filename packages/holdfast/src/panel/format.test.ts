import { describe, expect, it } from 'vitest';
import { fill, formatFor } from './format';

const en = formatFor('en');

describe('format', () => {
  it.each([
    [0, '0 kB'],
    [1, '0.1 kB'],
    [412, '0.4 kB'],
    [1_320, '1.3 kB'],
    [999_999, '1,000 kB'],
    [1_000_000, '1 MB'],
    [5_000_000_000_000, '5,000 GB'],
  ])('writes %d bytes as %s', (bytes, text) => {
    expect(en.bytes(bytes)).toBe(text);
  });

  it.each([
    [-5, '0 sec'],
    [840, '840 ms'],
    [59_999, '59 sec'],
    [60_000, '1 min'],
    [7_200_000, '2 hr'],
    [172_800_000, '2 days'],
  ])('writes a span of %d ms as %s', (ms, text) => {
    expect(en.span(ms)).toBe(text);
  });

  it('counts down in whole seconds that never reach zero early, and counts ages down', () => {
    expect(en.relative(11_001, 0)).toBe('in 12 seconds');
    expect(en.relative(1, 0)).toBe('in 1 second');
    expect(en.relative(0, 90_000)).toBe('1 minute ago');
    expect(en.relative(5, 5)).toBe('now');
  });

  it('writes as the language does', () => {
    expect(formatFor('de').speed(1_500_000)).toBe('1,5 MB/s');
    expect(formatFor('fr').relative(0, 120_000)).toBe('il y a 2 minutes');
    expect(formatFor('ja').relative(12_000, 0)).toBe('12 秒後');
  });

  it('chooses the plural form', () => {
    const text = { one: '{n} attempt', other: '{n} attempts' };
    expect([0, 1, 2].map((n) => en.plural(text, n))).toEqual(['0 attempts', '1 attempt', '2 attempts']);
    expect(formatFor('ar').plural({ two: 'محاولتان', other: '{n}' }, 2)).toBe('محاولتان');
  });

  it('gives the date of another day', () => {
    const noon = new Date(2026, 2, 10, 12).getTime();
    expect(en.clock(noon + 60_000, noon)).toMatch(/^12:01:00\sPM$/);
    expect(en.clock(noon + 86_400_000, noon)).toContain('Mar 11, 2026');
  });

  it('falls back to English for a lang attribute that is no language tag', () => {
    expect(formatFor('not a tag').bytes(1000)).toBe('1 kB');
  });
});

describe('fill', () => {
  it('leaves a place it has no value for, and never reads values as places', () => {
    expect(fill('{a} {b}', { a: '{b}' })).toBe('{b} {b}');
    expect(fill('{constructor}', {})).toBe('{constructor}');
  });
});
