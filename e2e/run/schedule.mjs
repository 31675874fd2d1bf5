import { availableParallelism } from 'node:os';

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ name: string, after?: readonly string[], alone?: boolean, run: () => Promise<Counts> }} Step
 *   `after` names steps that must have passed; `alone` steps share the machine with nobody
 */

/**
 * Runs every step once, as many at a time as there are cores. A step whose forerunner failed is not run, and counts as
 * failed.
 *
 * @param {readonly Step[]} steps in the order of preference
 * @returns {Promise<Counts>} the sum
 */
export async function runSteps(steps) {
  const width = Math.max(2, Math.min(4, availableParallelism()));
  const waiting = [...steps];
  const running = new Map();
  const passed = new Map();
  const sum = { passed: 0, failed: 0, skipped: 0 };

  const add = (name, counts) => {
    passed.set(name, counts.failed === 0);
    for (const key of Object.keys(sum)) sum[key] += counts[key];
  };
  const known = new Set(steps.map(({ name }) => name));
  const needs = (step) => (step.after ?? []).filter((name) => known.has(name));
  const isReady = (step) => needs(step).every((name) => passed.has(name));
  const fits = (step) =>
    step.alone ? running.size === 0 : running.size < width && ![...running.values()].includes(true);

  while (waiting.length > 0 || running.size > 0) {
    for (let next = waiting.find(isReady); next && fits(next); next = waiting.find(isReady)) {
      const step = next;
      waiting.splice(waiting.indexOf(step), 1);
      const blocker = needs(step).find((name) => passed.get(name) === false);
      if (blocker !== undefined) {
        console.log(`✗ ${step.name}: not run, since ${blocker} failed`);
        add(step.name, { passed: 0, failed: 1, skipped: 0 });
        continue;
      }
      running.set(step.name, step.alone === true);
      step.done = step.run().then((counts) => {
        running.delete(step.name);
        add(step.name, counts);
      });
    }
    const underway = steps.filter(({ name }) => running.has(name));
    if (underway.length > 0) await Promise.race(underway.map(({ done }) => done));
  }
  return sum;
}
