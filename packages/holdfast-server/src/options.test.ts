import { describe, expect, it } from 'vitest';
import { defaultOptions, withDefaults } from './options';
import type { GuardOptions } from './options';
import { memoryStore } from './stores/memory';

const store = memoryStore();

function withOption(name: string, value: unknown): () => unknown {
  return () => withDefaults({ store, [name]: value });
}

describe('an option', () => {
  const numbers = Object.entries(defaultOptions).filter(([, value]) => typeof value === 'number');

  it.each(numbers.map(([name]) => name))('that is no sensible number is refused by name: %s', (name) => {
    for (const value of [-1, Number.NaN, '30', null]) {
      expect(withOption(name, value)).toThrow(expect.objectContaining({ code: 'bad-option' }));
      expect(withOption(name, value)).toThrow(name);
    }
  });

  it.each(['leaseMs', 'maxRunMs', 'retentionMs', 'maxKeyLength', 'storeTimeoutMs', 'sweepLimit'])(
    'that would switch the guard off at 0 is refused there: %s',
    (name) => {
      expect(withOption(name, 0)).toThrow(name);
    },
  );

  it.each(['waitMs', 'retryAfterMs', 'tombstoneMs', 'sweepEveryMs', 'maxAnswerBytes', 'maxBodyBytes'])(
    'is taken at 0 where that means something: %s',
    (name) => {
      expect(withOption(name, 0)()).toMatchObject({ [name]: 0 });
    },
  );

  it('that is undefined leaves the default as it is', () => {
    expect(withDefaults({ store, leaseMs: undefined } as unknown as GuardOptions<unknown>).leaseMs).toBe(30_000);
  });

  it('of a store that is missing is refused with what to hand in', () => {
    expect(() => withDefaults({} as GuardOptions<unknown>)).toThrow('memoryStore()');
  });
});
