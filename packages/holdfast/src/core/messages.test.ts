import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAwake, readMessage } from './messages';

const outbox = 'outbox';
const changed = { v: 1, type: 'changed', outbox, revision: 3, ids: ['a'] };
const wake = { v: 1, type: 'wake', outbox, why: 'online' };
const abandon = { v: 1, type: 'abandon', outbox, key: 'k' };

describe('messages between contexts', () => {
  it.each([changed, wake, abandon])('takes what it knows: %o', (message) => {
    expect(readMessage(message, outbox)).toEqual(message);
  });

  it('ignores other outboxes, other versions and further types', () => {
    expect(readMessage({ ...wake, outbox: 'other' }, outbox)).toBeUndefined();
    expect(readMessage({ ...wake, v: 2 }, outbox)).toBeUndefined();
    expect(readMessage({ ...wake, type: 'send' }, outbox)).toBeUndefined();
  });

  it('takes from another release that something changed, with what can be read of it', () => {
    expect(readMessage({ ...changed, v: 2, more: 1 }, outbox)).toEqual(changed);
    expect(readMessage({ v: 2, type: 'changed', outbox, rev: 'x' }, outbox)).toEqual({
      ...changed,
      revision: 0,
      ids: [],
    });
    expect(readMessage({ v: 1, type: 'changed', outbox, rev: 'x' }, outbox)).toBeUndefined();
    expect(readMessage({ ...changed, v: 'two' }, outbox)).toBeUndefined();
    expect(readMessage({ ...changed, v: 2, outbox: 'other' }, outbox)).toBeUndefined();
  });

  it('drops fields nobody asked for, so that nothing is smuggled through', () => {
    expect(readMessage({ ...wake, url: 'https://evil.example' }, outbox)).toEqual(wake);
  });

  it('never throws and never hands on what is malformed, whatever somebody on the origin posts', () => {
    const half = fc.oneof(
      fc.anything(),
      fc.record(
        {
          v: fc.oneof(fc.constant(1), fc.anything()),
          type: fc.oneof(fc.constantFrom('changed', 'wake', 'abandon'), fc.anything()),
          outbox: fc.oneof(fc.constant(outbox), fc.anything()),
          revision: fc.anything(),
          ids: fc.oneof(fc.array(fc.anything()), fc.anything()),
          why: fc.anything(),
          key: fc.anything(),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(half, (data) => {
        const message = readMessage(data, outbox);
        if (!message) return;
        expect(message.v).toBe(1);
        if (message.type === 'changed') {
          expect(typeof message.revision).toBe('number');
          expect(message.ids.every((id) => typeof id === 'string')).toBe(true);
        }
        if (message.type === 'wake') expect(typeof message.why).toBe('string');
        if (message.type === 'abandon') expect(typeof message.key).toBe('string');
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('the answer of a worker', () => {
  it('is taken from one of another release, older or newer', () => {
    expect(readAwake({ v: 1, type: 'awake', run: 'worker-1' })).toEqual({ run: 'worker-1' });
    expect(readAwake({ v: 1, type: 'awake' })).toEqual({});
    expect(readAwake({ v: 2, type: 'awake', run: 7, more: 'fields' })).toEqual({});
  });

  it('is not taken from a script that answers anything to anybody: that one does not send', () => {
    for (const data of [null, undefined, 'ok', true, {}, { error: 'unknown command' }, { v: 1, type: 'pong' }, [1]])
      expect(readAwake(data)).toBeUndefined();
  });
});
