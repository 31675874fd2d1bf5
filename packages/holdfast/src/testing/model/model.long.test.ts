import { describe, expect, it } from 'vitest';
import { runModel } from './history';

/** `MODEL_RUNS` and `MODEL_SEED` play more of them, or others; one seed stands so that a change is judged by the same histories. */
const runs = Number(process.env['MODEL_RUNS'] ?? 60);
const seed = Number(process.env['MODEL_SEED'] ?? 7);

describe('whatever happens to tabs, network, servers and clocks', () => {
  it(`keeps every promise in ${runs} histories (seed ${seed})`, { timeout: 120_000 + runs * 500 }, async () => {
    const { violations, counterexample } = await runModel({ runs, seed });
    expect(violations, `seed ${seed}: ${counterexample}`).toBe(0);
  });
});
