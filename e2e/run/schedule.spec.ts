import { describe, expect, it } from 'vitest';
import { runSteps } from './schedule.ts';

const counts = (passed: number, failed = 0, skipped = 0) => ({ passed, failed, skipped });

/** Steps that say when they begin and end, and take as long as the test lets them. */
function rig() {
  const log: string[] = [];
  const ends = new Map<string, (result: ReturnType<typeof counts>) => void>();
  const step = (name: string, more: { after?: string[]; alone?: boolean } = {}) => ({
    name,
    ...more,
    run: () => {
      log.push(`begin ${name}`);
      return new Promise<ReturnType<typeof counts>>((resolve) => ends.set(name, resolve));
    },
  });
  const end = async (name: string, result = counts(1)) => {
    log.push(`end ${name}`);
    ends.get(name)?.(result);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { log, step, end };
}

describe('runSteps', () => {
  it('adds up what the steps counted', async () => {
    const steps = [counts(3, 0, 1), counts(0, 2)].map((result, index) => ({
      name: `step ${index}`,
      run: () => Promise.resolve(result),
    }));
    expect(await runSteps(steps, 2)).toEqual({ passed: 3, failed: 2, skipped: 1 });
  });

  it('runs a step only after those it needs', async () => {
    const { log, step, end } = rig();
    const sum = runSteps([step('second', { after: ['first'] }), step('first')], 2);
    await end('first');
    await end('second');
    expect(await sum).toEqual(counts(2));
    expect(log).toEqual(['begin first', 'end first', 'begin second', 'end second']);
  });

  it('counts a step as failed when one it needs failed, and does not run it', async () => {
    const { log, step, end } = rig();
    const sum = runSteps(
      [step('build'), step('sizes', { after: ['build'] }), step('publish', { after: ['sizes'] })],
      2,
    );
    await end('build', counts(0, 1));
    expect(await sum).toEqual(counts(0, 3));
    expect(log).toEqual(['begin build', 'end build']);
  });

  it('leaves the machine to a step that must be alone', async () => {
    const { log, step, end } = rig();
    const sum = runSteps([step('a'), step('browser', { alone: true }), step('b')], 2);
    await end('a');
    await end('browser');
    await end('b');
    expect(await sum).toEqual(counts(3));
    expect(log).toEqual(['begin a', 'end a', 'begin browser', 'end browser', 'begin b', 'end b']);
  });
});
