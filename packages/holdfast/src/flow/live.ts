import { asOutboxError } from '../core/errors';
import type { CallOptions } from '../core/options';
import { sketchOf } from './content';
import { intentOf, laneFor } from './intent';
import type { Noted } from './journal';
import type { Caught, LiveRequest, LiveResult, LiveTools } from './live-request';
import { inTurn, onlyLive } from './live-turn';
import { lookIn, type Ahead } from './look-ahead';
import type { Intent } from './record';
import { likely, nobody, SubjectChanged, type Likely } from './subject';
import { free, type Turn } from './turns';

export type * from './live-request';

/**
 * The whole way of a fresh request: behind its lane's backlog, or live first and into the store when that fails. Its place in
 * line is that of this call.
 */
export async function live(tools: LiveTools, request: LiveRequest): Promise<LiveResult> {
  const { call, route, facts } = request;
  let lane: string | null;
  try {
    lane = laneFor(call, route, facts);
  } catch (error) {
    return impossible(error);
  }
  const place = tools.journal.arrive(lane);
  const turn = request.turn ?? tools.turns.take(lane);
  try {
    return await liveIn(turn, tools, { ...request, place, captured: await request.captured });
  } finally {
    place.passed();
    void turn.then((mine) => mine.done());
  }
}

async function liveIn(line: Promise<Turn>, tools: LiveTools, request: Caught): Promise<LiveResult> {
  const { captured, caughtBy } = request;
  const adopted = caughtBy && (await tools.journal.adopt(caughtBy, captured));
  try {
    return await liveAs(adopted, line, tools, request);
  } finally {
    if (adopted !== undefined) tools.journal.returns.over(adopted);
  }
}

/** @param adopted the key it had in a run that died */
async function liveAs(
  adopted: string | undefined,
  line: Promise<Turn>,
  tools: LiveTools,
  request: Caught,
): Promise<LiveResult> {
  const call = adopted === undefined ? request.call : { ...request.call, key: adopted };
  const whose = await (call.subject === undefined
    ? tools.context.likelySubject()
    : likely(Promise.resolve(call.subject)));
  let taken: ReturnType<typeof turnOf> | undefined;
  const inLine = () => (taken ??= turnOf(tools, request, adopted, line));
  const attempt: Attempt = { call, inLine, begun: new Map() };
  try {
    try {
      return await liveFor(whose, attempt, tools, request);
    } catch (error) {
      if (!(error instanceof SubjectChanged)) throw error;
      return await liveFor(await likely(whose.asked), attempt, tools, request);
    }
  } finally {
    for (const key of attempt.begun.keys()) void request.answered?.then(() => tools.journal.end(key));
  }
}

type Noting = Noted<Ahead>;

interface Attempt {
  readonly call: CallOptions;
  /** Its turn, once; whether it has been waiting since it was noted. */
  readonly inLine: () => Promise<{ readonly turn: Turn; readonly waited: boolean }>;
  /** What the journal was told of, by key. */
  readonly begun: Map<string, Noting>;
}

/** One that comes back had its turn in the run that died; those that are waiting for it have the turns of this one. */
async function turnOf(
  { journal }: LiveTools,
  { caughtBy, place: { lane } }: Caught,
  adopted: string | undefined,
  line: Promise<Turn>,
): Promise<{ readonly turn: Turn; readonly waited: boolean }> {
  const cameBack = adopted !== undefined && caughtBy && (await journal.returns.cameBack(adopted, caughtBy));
  const turn = cameBack ? free : await line;
  const waited = lane !== null && caughtBy && (await journal.returns.before(lane, caughtBy, adopted));
  return { turn, waited: waited || turn.waited };
}

async function liveFor(
  { who, holds }: Likely,
  { call, inLine, begun }: Attempt,
  tools: LiveTools,
  request: Caught,
): Promise<LiveResult> {
  const { context, journal } = tools;
  const { captured, route, facts, caughtBy, place } = request;
  let intent: Intent;
  try {
    const [known] = begun.keys();
    const again = known === undefined ? call : { ...call, key: known };
    const sketch = intentOf(
      context,
      captured.request,
      { info: sketchOf(captured) },
      { route, facts },
      again,
      who ?? '',
    );
    intent = { ...sketch, isTheirs: holds };
  } catch (error) {
    return impossible(error);
  }
  if (who === null) {
    place.passed();
    const outcome = await onlyLive(context, request, intent);
    return outcome.kind === 'failed' ? { ...outcome, error: nobody() } : outcome;
  }
  const { key } = intent.entry;
  let noting: Noting | undefined;
  // At once: a run that dies now must leave behind who came first. What lies before it is seen on the same way.
  if (caughtBy && !call.onlyLive) {
    noting = journal.begin({ key, caughtBy, captured, place }, (rows) => lookIn(rows, context, intent));
    begun.set(key, noting);
  } else place.passed();
  const { turn, waited } = await inLine();
  const seen = waited ? undefined : noting?.seen;
  return inTurn({ ...tools, noted: async () => noting?.done, turn, seen }, request, intent);
}

function impossible(error: unknown): LiveResult {
  const why = asOutboxError(error, 'bad-option', 'this request cannot be kept');
  return { kind: 'failed', message: String(error), error: why };
}
