import { asOutboxError } from '../core/errors';
import { sketchOf } from './content';
import { intentOf, laneFor } from './intent';
import type { Caught, LiveRequest, LiveResult, LiveTools } from './live-request';
import { inTurn, onlyLive } from './live-turn';
import { lookIn } from './look-ahead';
import type { Intent } from './record';
import { nobody } from './subject';
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
  const { context, journal } = tools;
  const { captured, route, facts, caughtBy, place } = request;
  const call = adopted === undefined ? request.call : { ...request.call, key: adopted };
  const who = call.subject ?? (await context.subject());
  let intent: Intent;
  try {
    intent = intentOf(context, captured.request, { info: sketchOf(captured) }, { route, facts }, call, who ?? '');
  } catch (error) {
    return impossible(error);
  }
  if (who === null) {
    place.passed();
    const outcome = await onlyLive(context, request, intent);
    return outcome.kind === 'failed' ? { ...outcome, error: nobody() } : outcome;
  }
  const { key } = intent.entry;
  // At once: a run that dies now must leave behind who came first. What lies before it is seen on the same way.
  const noting =
    caughtBy && !call.onlyLive
      ? journal.begin({ key, caughtBy, captured, place }, (rows) => lookIn(rows, context, intent))
      : undefined;
  if (!noting) place.passed();
  try {
    const { turn, waited } = await turnOf(tools, request, adopted, line);
    const seen = waited ? undefined : noting?.seen;
    return await inTurn({ ...tools, noted: noting?.done, turn, seen }, request, intent);
  } finally {
    if (noting) void request.answered?.then(() => journal.end(key));
  }
}

/** One that comes back had its turn in the run that died; those that are waiting for it have the turns of this one. */
async function turnOf(
  { journal }: LiveTools,
  { caughtBy, place: { lane } }: Caught,
  adopted: string | undefined,
  line: Promise<Turn>,
): Promise<{
  readonly turn: Turn;
  /** It has been waiting: what was seen when it was noted is out of date. */
  readonly waited: boolean;
}> {
  const cameBack = adopted !== undefined && caughtBy && (await journal.returns.cameBack(adopted, caughtBy));
  const turn = cameBack ? free : await line;
  const waited = lane !== null && caughtBy && (await journal.returns.before(lane, caughtBy, adopted));
  return { turn, waited: waited || turn.waited };
}

function impossible(error: unknown): LiveResult {
  const why = asOutboxError(error, 'bad-option', 'this request cannot be kept');
  return { kind: 'failed', message: String(error), error: why };
}
