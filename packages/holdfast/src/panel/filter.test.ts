import { describe, expect, it } from 'vitest';
import { everything } from './desk';
import { fits } from './filter';
import { deadEntry, entry } from './fixtures/entries';
import { english } from './words/english';

const finds = (query: string, one = entry({ title: 'Café order 17', route: 'orders' })): boolean =>
  fits(one, { ...everything, query }, english);

describe('search', () => {
  it('finds every word anywhere, in any case and without accents', () => {
    expect(finds('')).toBe(true);
    expect(finds('cafe ORDER')).toBe(true);
    expect(finds('order café 17')).toBe(true);
    expect(finds('cafe 18')).toBe(false);
  });

  it('finds by address, state, reason and status', () => {
    expect(finds('api.example')).toBe(true);
    expect(finds('saved on this')).toBe(true);
    expect(finds('422 refused', deadEntry())).toBe(true);
    expect(finds('ada', deadEntry({}, { assignee: 'Ada' }))).toBe(true);
  });

  it('keeps to the chosen kind', () => {
    expect(fits(entry({ route: 'photos' }), { ...everything, route: 'orders' }, english)).toBe(false);
    expect(fits(entry({ route: 'orders' }), { ...everything, route: 'orders' }, english)).toBe(true);
  });
});
