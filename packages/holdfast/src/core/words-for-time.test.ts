import { describe, expect, it } from 'vitest';
import { inWords } from './words-for-time';

describe('inWords', () => {
  it.each([
    [0, '0 milliseconds'],
    [1, '1 millisecond'],
    [999, '999 milliseconds'],
    [1_000, '1 second'],
    [1_500, '1.5 seconds'],
    [60_000, '1 minute'],
    [252_000, '4.2 minutes'],
    [3_600_000, '1 hour'],
    [86_400_000, '1 day'],
    [604_800_000, '7 days'],
  ])('%d ms is %s', (ms, words) => {
    expect(inWords(ms)).toBe(words);
  });
});
