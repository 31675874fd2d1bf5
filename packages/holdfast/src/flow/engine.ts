import type { Context } from './context';
import { createDrain, type Drain, type DrainOptions } from './drain';
import { live, type LiveRequest, type LiveResult } from './live';
import { createJournal } from './journal';
import { createRecorder, type Recorder } from './recorder';
import { createTurns, type Turns } from './turns';

/** Everything a context does with requests, wired once. */
export interface Engine {
  readonly context: Context;
  readonly recorder: Recorder;
  readonly drain: Drain;
  readonly turns: Turns;
  /** The whole way of a fresh request. */
  live(request: LiveRequest): Promise<LiveResult>;
}

export function createEngine(context: Context, options?: DrainOptions): Engine {
  const recorder = createRecorder(context);
  const turns = createTurns();
  const journal = createJournal(context);
  return {
    context,
    recorder,
    turns,
    drain: createDrain(context, options),
    live: (request) => live({ context, recorder, turns, journal }, request),
  };
}
