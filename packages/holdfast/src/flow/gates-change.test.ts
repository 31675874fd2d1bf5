import { describe, expect, it } from 'vitest';
import { soundGate } from '../core/breaker';
import { openGates } from '../core/control';
import { settled } from './gates-change';

const origin = 'https://api.test';
const before = { ...openGates, origins: { [origin]: { ...soundGate, answeredAt: 1_000 } } };
const answeredAt = (at: number) => ({ ...before, origins: { [origin]: { ...soundGate, answeredAt: at } } });

describe('gates after an attempt', () => {
  it('are not written again for one more answer from a server that answers', () => {
    expect(settled(before, answeredAt(2_000), origin)).toBe(before);
  });

  it('are written when the last answer is not recent any more', () => {
    const after = answeredAt(60_000);
    expect(settled(before, after, origin)).toBe(after);
  });

  it('are written when somebody has to sign in, however soon after the last answer', () => {
    const after = { ...answeredAt(1_001), signIn: { ines: { since: 1_001 } } };
    expect(settled(before, after, origin)).toBe(after);
  });

  it('are written when the origin asked to be left alone', () => {
    const after = { ...before, origins: { [origin]: { ...soundGate, answeredAt: 1_001, pausedUntil: 9_000 } } };
    expect(settled(before, after, origin)).toBe(after);
  });
});
