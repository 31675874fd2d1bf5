import { addCounts, type Counts, oneFailed } from './counts.ts';

export interface Step {
  readonly name: string;
  /** Names of steps that must have passed. */
  readonly after?: readonly string[] | undefined;
  /** Shares the machine with nobody. @default false */
  readonly alone?: boolean | undefined;
  run(): Promise<Counts>;
}

/**
 * Runs every step once, `width` at a time. A step whose forerunner failed is not run, and counts as failed.
 *
 * @param steps in the order of preference
 * @returns     the sum of all counts
 */
export async function runSteps(steps: readonly Step[], width: number): Promise<Counts> {
  const waiting = [...steps];
  const running = new Map<Step, Promise<void>>();
  const done = new Map<string, Counts>();

  const failedNeed = (step: Step) => step.after?.find((name) => (done.get(name)?.failed ?? 0) > 0);
  const isReady = (step: Step) => step.after?.every((name) => done.has(name)) ?? true;
  const fits = (step: Step) =>
    step.alone ? running.size === 0 : running.size < width && ![...running.keys()].some(({ alone }) => alone);

  const start = (step: Step) => {
    const blocker = failedNeed(step);
    if (blocker !== undefined) {
      console.log(`✗ ${step.name}: not run, since ${blocker} failed`);
      done.set(step.name, oneFailed);
      return;
    }
    const finished = step.run().then((counts) => {
      running.delete(step);
      done.set(step.name, counts);
    });
    running.set(step, finished);
  };

  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.find(isReady);
    if (next && fits(next)) {
      waiting.splice(waiting.indexOf(next), 1);
      start(next);
    } else if (running.size > 0) {
      await Promise.race(running.values());
    } else {
      throw new Error(`these steps wait for a step that is not there: ${waiting.map(({ name }) => name).join(', ')}`);
    }
  }
  return addCounts(done.values());
}
