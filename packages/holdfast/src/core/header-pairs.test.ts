import { describe, expect, it } from 'vitest';
import { headerOf } from './header-pairs';

describe('headerOf', () => {
  it('finds a field whatever the case of its name, and joins its lines', () => {
    const headers = [
      ['Link', 'a'],
      ['x-other', 'b'],
      ['LINK', 'c'],
    ] as const;
    expect(headerOf(headers, 'link')).toBe('a, c');
    expect(headerOf(headers, 'X-Other')).toBe('b');
  });

  it('tells an empty field from an absent one', () => {
    expect(headerOf([['x-empty', '']], 'x-empty')).toBe('');
    expect(headerOf([['x-empty', '']], 'x')).toBeNull();
  });
});
