import type { Jitter } from '../../core/backoff';
import { defaultBudgets } from '../../core/budget';
import { figuresOf } from './figures';
import { outages } from './outages';
import { jitters, outbox } from './policies';
import { simulate, type Simulation } from './simulate';

/** How one kind of jitter did. */
export interface JitterRank {
  readonly jitter: Jitter;
  /** Requests given up in `restart` with the default budgets, as a share; the mean over the seeds. */
  readonly givenUp: number;
  /** 1 would be the best of all kinds in every figure of every outage. */
  readonly cost: number;
}

/**
 * Ranks the kinds of jitter, the best one first, by this rule:
 *
 * 1. It gives up least in a minute's outage with the default budgets: less than half of what the undisturbed waits cover,
 *    so whoever gives up there has let chance use up the budget.
 * 2. Then it costs least. Peak/mean ratio, time to drain and requests wasted are each divided by the best kind's; the cost
 *    is the geometric mean of these over all outages and seeds. Nothing is given up in these runs (budgets are unlimited),
 *    so that nobody looks gentle because it stopped trying.
 *
 * @param seeds more make it surer, and take longer
 * @param run   what simulates; for callers that remember what they have simulated already
 */
export function rankJitters(seeds: readonly number[] = [1], run = simulate): JitterRank[] {
  const ratios = jitters.map((): number[] => []);
  for (const outage of Object.values(outages)) {
    for (const seed of seeds) {
      const rows = jitters.map((jitter) => {
        const { peakToMean, drainMs, wasted } = figuresOf(run(outage, outbox(jitter), seed));
        return [peakToMean, drainMs ?? Infinity, wasted];
      });
      const best = [0, 1, 2].map((nth) => Math.min(...rows.map((row) => row[nth] ?? Infinity)));
      rows.forEach((row, kind) => ratios[kind]?.push(...row.map((figure, nth) => figure / (best[nth] ?? 1))));
    }
  }
  const ranks = jitters.map((jitter, kind) => ({
    jitter,
    givenUp: mean(seeds.map((seed) => run(outages.restart, outbox(jitter, defaultBudgets), seed)).map(givenUp)),
    cost: Math.exp(mean((ratios[kind] ?? []).map(Math.log))),
  }));
  return ranks.sort((one, other) => one.givenUp - other.givenUp || one.cost - other.cost);
}

function givenUp(run: Simulation): number {
  return figuresOf(run).deadShare;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
