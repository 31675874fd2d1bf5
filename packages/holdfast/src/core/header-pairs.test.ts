import { describe, expect, it } from 'vitest';
import { headerValue } from './header-pairs';

describe('headerValue', () => {
  it('finds a field whatever the case of its name, and joins its lines', () => {
    const headers = [
      ['Link', 'a'],
      ['x-other', 'b'],
      ['LINK', 'c'],
    ] as const;
    expect(headerValue(headers, 'link')).toBe('a, c');
    expect(headerValue(headers, 'X-Other')).toBe('b');
  });

  it('tells an empty field from an absent one', () => {
    expect(headerValue([['x-empty', '']], 'x-empty')).toBe('');
    expect(headerValue([['x-empty', '']], 'x')).toBeUndefined();
  });
});
