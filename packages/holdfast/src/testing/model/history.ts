import * as fc from 'fast-check';
import { origins } from './app';
import { finale, type Stuck } from './finale';
import { isPossible, play, startTab } from './play';
import type { Mood } from './server';
import { createStateRules, type StateRules } from './state-rules';
import type { Step } from './step';
import { someMoods, step, stuck } from './steps';
import { createWorld, type Plant, type World, type WorldOptions } from './world';

/** A history: how the world began, what happened in it, and what stayed stuck at the end. */
export interface Beginning extends Omit<WorldOptions, 'plant'> {
  /** What each origin does at first. */
  readonly moods: readonly [readonly Mood[], readonly Mood[]];
  readonly tabs: number;
  readonly stuck: Stuck;
}

export interface ModelRun {
  readonly runs: number;
  readonly seed: number;
  readonly plant?: Plant;
  /** Called now and then. */
  readonly progress?: (done: number) => void;
  /** Whether to look for the smallest history that breaks the same. @default true */
  readonly shrink?: boolean;
  /** Steps of one history at most. @default 40 */
  readonly length?: number;
}

export interface ModelReport {
  readonly runs: number;
  readonly violations: number;
  /** The smallest history found that breaks a promise, ready to be played again; `''` when none does. */
  readonly counterexample: string;
}

const beginning: fc.Arbitrary<Beginning> = fc.record({
  seed: fc.nat({ max: 1_000 }),
  limits: fc.constantFrom('roomy', 'roomy', 'roomy', 'refuse', 'drop-oldest'),
  moods: fc.tuple(someMoods, someMoods),
  tabs: fc.integer({ min: 1, max: 3 }),
  stuck,
});

interface Real {
  readonly world: World;
  readonly rules: StateRules;
  /** What was done so far. */
  readonly steps: Step[];
}

function begin({ seed, limits, moods, tabs }: Beginning, plant?: Plant): Real {
  const world = createWorld({ seed, limits, plant });
  moods.forEach((list, i) => world.server.mood(origins[i] ?? origins[0], list));
  for (let i = 0; i < tabs; i += 1) startTab(world);
  return { world, rules: createStateRules(world), steps: [] };
}

/** Takes one step and looks whether every promise is kept. @throws Error naming the first that is not */
async function take({ world, rules, steps }: Real, one: Step): Promise<void> {
  steps.push(one);
  await play(world, one);
  rules.check('mishap' in one || one.act === 'kill' || one.act === 'freeze');
  mustHold(world);
}

async function end({ world, rules }: Real, what: Stuck): Promise<void> {
  await finale(world, what);
  rules.check(true);
  mustHold(world);
}

function mustHold({ facts }: World): void {
  const [first] = facts.violations;
  if (first !== undefined) throw new Error(first);
}

/** Plays a written history to its end. @throws Error naming the promise that was broken */
export async function playHistory(start: Beginning, steps: readonly Step[], plant?: Plant): Promise<World> {
  const real = begin(start, plant);
  for (const one of steps) if (isPossible(real.world, one)) await take(real, one);
  await end(real, start.stuck);
  return real.world;
}

function command(one: Step): fc.AsyncCommand<World, Real> {
  return {
    check: (world) => isPossible(world, one),
    run: (_, real) => take(real, one),
    toString: () => JSON.stringify(one),
  };
}

/** Plays generated histories until one breaks a promise, and then looks for the smallest like it. */
export async function runModel({
  runs,
  seed,
  plant,
  progress,
  shrink = true,
  length = 40,
}: ModelRun): Promise<ModelReport> {
  let done = 0;
  let broken = '';
  const histories = fc.commands([step.map(command)], { maxCommands: length, size: 'max' });
  const property = fc.asyncProperty(beginning, histories, async (start, commands) => {
    const real = begin(start, plant);
    try {
      await fc.asyncModelRun(() => ({ model: real.world, real }), commands);
      await end(real, start.stuck);
    } catch (error) {
      // Shrinking only goes on from what fails, so the last one is the smallest.
      broken = written(start, real.steps, error);
      throw error;
    }
    done += 1;
    if (done % 100 === 0) progress?.(done);
  });
  const { numRuns, failed } = await fc.check(property, { numRuns: runs, seed, endOnFailure: !shrink });
  return { runs: numRuns, violations: failed ? 1 : 0, counterexample: broken };
}

function written(start: Beginning, steps: readonly Step[], error: unknown): string {
  const lines = steps.map((one) => `  ${JSON.stringify(one)},\n`).join('');
  return `${error instanceof Error ? error.message : String(error)}\n\nplayHistory(${JSON.stringify(start)}, [\n${lines}]);`;
}
