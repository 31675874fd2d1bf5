import { describe, expect, it } from 'vitest';
import { runModel } from './history';
import { planted } from './plants';

describe('the model finds what is wrong on purpose:', () => {
  it.each(Object.entries(planted))('%s', { timeout: 120_000 }, async (_, { plant, breaks }) => {
    const { violations, counterexample } = await runModel({ runs: 1_500, seed: 42, plant, shrink: false });
    expect(violations).toBe(1);
    expect(counterexample).toMatch(breaks);
  });
});
