import { defaultBudgets } from 'holdfast';
import {
  exponential,
  figuresOf,
  fixed,
  outages,
  outbox,
  seriesOf,
  simulate,
  type SimulatedPolicy,
} from 'holdfast/testing';
import type { Answer, Question } from './question';

/** How much of the recovery is shown, seconds. */
export const shownSeconds = 180;

/**
 * Simulates the chosen policy and two that people write by hand, one after another, with the functions the outbox itself
 * decides by. The server is as much smaller as there are fewer clients than a thousand.
 */
export function* answersTo({ id, outage, clients, jitter }: Question): Generator<Answer> {
  const perSecond = clients / 20;
  const scenario = { ...outages[outage], clients, server: { perSecond, queue: 2 * perSecond } };
  const own: SimulatedPolicy = { ...outbox(jitter, defaultBudgets), name: 'Outbox' };
  const others: SimulatedPolicy[] = [
    { ...exponential('none'), name: 'Doubling, no jitter' },
    { ...fixed, name: 'Every 5 seconds' },
  ];
  for (const policy of [own, ...others]) {
    const run = simulate(scenario, policy);
    const series = seriesOf(run).slice(0, run.backAt + shownSeconds);
    yield {
      ...{ id, policy: policy.name, own: policy === own, backAt: run.backAt, capacity: perSecond },
      ...{ series, figures: figuresOf(run) },
    };
  }
}
