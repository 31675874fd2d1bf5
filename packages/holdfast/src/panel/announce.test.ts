import { describe, expect, it } from 'vitest';
import { announcement } from './announce';
import { deadEntry, deliveredEntry, entry, look } from './fixtures/entries';
import { formatFor } from './format';
import { english } from './words/english';

const say = (before: ReturnType<typeof look>, after: ReturnType<typeof look>): string =>
  announcement(before, after, english, formatFor('en'));

describe('the live region', () => {
  it('says that one needs attention, once', () => {
    const dead = look([deadEntry(), entry()]);
    expect(say(look([entry(), entry()]), dead)).toBe('1 request needs attention.');
    expect(say(dead, look(dead.entries, { revision: 2 }))).toBe('');
  });

  it('does not interrupt for each of a hundred that go out, only for the last', () => {
    expect(say(look([entry(), entry()]), look([entry(), deliveredEntry()]))).toBe('');
    expect(say(look([entry()]), look([deliveredEntry()]))).toBe(english.said.allConfirmed);
  });

  it('does not say all is confirmed when the last one died', () => {
    expect(say(look([entry()]), look([deadEntry()]))).toBe('1 request needs attention.');
    expect(say(look([entry(), deadEntry()]), look([deadEntry(), deliveredEntry()]))).toBe('');
  });

  it('says when the connection goes and comes back, and nothing on the first look', () => {
    const offline = look([], { connectivity: 'offline' });
    expect(say(look([]), offline)).toBe('Offline.');
    expect(say(offline, look([]))).toBe('Online again.');
    expect(say(look([], { connectivity: 'unknown' }), look([]))).toBe('');
    expect(say(look([], { ready: false }), offline)).toBe('');
  });
});
