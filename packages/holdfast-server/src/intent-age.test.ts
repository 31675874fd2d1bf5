import { expect, it } from 'vitest';
import { intentAgeMs } from './intent-age';

const age = (field?: string): number | undefined =>
  intentAgeMs(new Headers(field === undefined ? {} : { 'holdfast-age': field }));

it('reads how old an intent is, in whole milliseconds', () => {
  expect(age('18000000')).toBe(18_000_000);
  expect(age('0')).toBe(0);
});

it('takes nothing that could date an event into the future or before its time', () => {
  for (const field of ['-5', '1.5', '1e3', 'soon', '', '9'.repeat(16), '5, 6'])
    expect([field, age(field)]).toEqual([field, undefined]);
  expect(age()).toBeUndefined();
  expect(age('999999999999999')).toBe(31_622_400_000);
});
