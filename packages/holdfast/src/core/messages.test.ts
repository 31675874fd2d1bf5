import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMessage } from './messages';

const changed = { v: 1, type: 'changed', outbox: 'outbox', revision: 7, ids: ['a'] };
const wake = { v: 1, type: 'wake', outbox: 'outbox', why: 'online' };
const subject = { v: 1, type: 'subject', outbox: 'outbox', subject: 'ann' };

describe('readMessage', () => {
  it('gives back what is ours, without what was added to it', () => {
    for (const message of [changed, wake, subject, { ...changed, ids: [] }, { ...subject, subject: null }]) {
      expect(readMessage({ ...message, more: 1 }, 'outbox')).toEqual(message);
    }
  });

  it('ignores other outboxes, other versions and other kinds', () => {
    for (const message of [changed, wake, subject]) {
      expect(readMessage(message, 'other')).toBeUndefined();
      expect(readMessage({ ...message, v: 2 }, 'outbox')).toBeUndefined();
      expect(readMessage({ ...message, type: 'else' }, 'outbox')).toBeUndefined();
    }
  });

  it.each([
    { ...changed, revision: '7' },
    { ...changed, ids: 'a' },
    { ...changed, ids: ['a', 1] },
    { ...wake, why: 7 },
    { ...subject, subject: 7 },
    { ...subject, subject: undefined },
    null,
    undefined,
    'changed',
    7,
  ])('ignores %j', (message) => {
    expect(readMessage(message, 'outbox')).toBeUndefined();
  });

  it('takes nothing from strangers, whatever they post', () => {
    fc.assert(
      fc.property(fc.anything(), (data) => {
        expect(readMessage(data, 'outbox')).toBeUndefined();
      }),
    );
  });
});
