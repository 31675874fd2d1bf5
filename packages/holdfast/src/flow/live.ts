import type { ResolvedRoute } from '../core/config';
import type { Entry, Lease } from '../core/entry';
import { asOutboxError, type OutboxError } from '../core/errors';
import type { CallOptions } from '../core/options';
import type { RequestFacts } from '../core/request-facts';
import type { Arrival, Stop } from '../ports';
import { laidOut, sketchOf } from './content';
import type { Captured } from './capture';
import { abandon, letGo, putBack, settleAhead } from './write-ahead';
import { log, type Context } from './context';
import { intentOf, laneFor, type CaughtBy } from './intent';
import { judge, judgeBroken, type Judged } from './judge';
import { learn } from './learn';
import { change } from './ledger';
import { lateAnswer } from './late-answer';
import { blind, lookAhead, stuck } from './look-ahead';
import { isTooLate, leaseMs } from './leases';
import { notify } from './notify';
import { deadlineMs, outgoing } from './outgoing';
import type { Intent, Recorded } from './record';
import type { FetchJournal } from './journal';
import type { Recorder } from './recorder';
import { nobody } from './subject';
import { free, type Turn, type Turns } from './turns';

/** What became of a request the app just made. */
export type LiveResult =
  /** The server answered; the platform's Response goes to the page as it is. `othersWait`: a server that answers is news to them. */
  | { readonly kind: 'answered'; readonly response: unknown; readonly othersWait: boolean }
  /** Kept; the page is told so. */
  | { readonly kind: 'queued'; readonly entry: Entry }
  /** Not delivered and not kept: the page's fetch fails as it would have without us, and `error` says why it was not kept. */
  | { readonly kind: 'failed'; readonly message: string; readonly error?: OutboxError };

export interface LiveRequest {
  /** Bodies are read in no particular order, so a promise takes its place in line at once and is waited for there. */
  readonly captured: Captured | Promise<Captured>;
  readonly route: ResolvedRoute;
  readonly facts: RequestFacts;
  readonly call: CallOptions;
  readonly caughtBy?: CaughtBy | undefined;
  /** Resolves when the page has its answer. */
  readonly answered?: Promise<unknown> | undefined;
  /** The place in line of whoever asks, when it has one already. */
  readonly turn?: Promise<Turn> | undefined;
  /** The page's own signal: giving up is not a failure to queue. */
  readonly stop?: Stop | undefined;
}

export interface LiveTools {
  readonly context: Context;
  readonly recorder: Recorder;
  readonly turns: Turns;
  readonly journal: FetchJournal;
}

/** A request that was read whole. */
interface Caught extends LiveRequest {
  readonly captured: Captured;
  readonly place: ReturnType<FetchJournal['arrive']>;
}

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
  const { context } = tools;
  const { captured, route, facts, caughtBy } = request;
  const call = adopted === undefined ? request.call : { ...request.call, key: adopted };
  const who = call.subject ?? (await context.subject());
  let intent: Intent;
  try {
    intent = intentOf(context, captured.request, { info: sketchOf(captured) }, { route, facts }, call, who ?? '');
  } catch (error) {
    return impossible(error);
  }
  if (who === null) {
    request.place.passed();
    const outcome = await onlyLive(context, request, intent);
    return outcome.kind === 'failed' ? { ...outcome, error: nobody() } : outcome;
  }
  const { key } = intent.entry;
  let begun: Promise<void> | undefined;
  const noted = async (): Promise<void> => {
    if (caughtBy) await (begun ??= tools.journal.begin(key, caughtBy, captured, request.place));
  };
  // At once: a run that dies now must leave behind who came first.
  if (intent.entry.lane !== null && !call.onlyLive) void noted();
  else request.place.passed();
  // One that comes back had its turn in the run that died; those that are waiting for it have the turns of this one.
  const cameBack = adopted !== undefined && caughtBy && (await tools.journal.returns.cameBack(adopted, caughtBy));
  const turn = cameBack ? free : await line;
  try {
    if (caughtBy && intent.entry.lane !== null)
      await tools.journal.returns.before(intent.entry.lane, caughtBy, adopted);
    return await inTurn({ ...tools, noted, turn }, request, intent);
  } finally {
    if (begun) void request.answered?.then(() => tools.journal.end(key));
  }
}

function impossible(error: unknown): LiveResult {
  const why = asOutboxError(error, 'bad-option', 'this request cannot be kept');
  return { kind: 'failed', message: String(error), error: why };
}

interface TurnTools extends LiveTools {
  /** Resolves when the journal has this fetch: before it is stored, or a second dispatch would store it again. */
  readonly noted: () => Promise<void>;
  readonly turn: Turn;
}

async function inTurn(tools: TurnTools, request: Caught, intent: Intent): Promise<LiveResult> {
  const { context } = tools;
  const { captured, route, call } = request;
  if (call.onlyLive) return onlyLive(context, request, intent);
  const seen = tools.turn.behind ? stuck : await lookAhead(context, intent).catch(() => blind);
  if (seen.mustQueue) return keep(tools, request, intent, 'its lane or its target is waiting');

  const ahead = route.capture === 'write-ahead' ? await writeAhead(tools, request, intent) : undefined;
  if (ahead && 'kind' in ahead) return ahead;
  if (ahead && ahead.entry.state !== 'sending') return { kind: 'queued', entry: ahead.entry };
  const entry = ahead?.entry ?? provisional(intent);
  const startedAt = context.system.now();
  const late = lateAnswer(context, { entry, route, startedAt });
  const beganOffline = context.system.saysOffline();
  let arrival: Arrival | undefined;
  let judged: Judged;
  try {
    // Before the first byte leaves: a kill right after that must not make a second key.
    const [out] = await Promise.all([outgoing(context, entry, route, captured.body), tools.noted()]);
    // A tab that was frozen in between goes on here, hours later perhaps.
    if (isTooLate(context, entry)) {
      if (!ahead) return keep(tools, request, intent, tooLate);
      await putBack(context, ahead.entry);
      return { kind: 'queued', entry: ahead.entry };
    }
    const lastMs = deadlineMs(route, intent.entry.body.size);
    arrival = await context.transport.send(out, lastMs, request.stop, (answer) => late.hear(answer));
    judged = await judge(context, {
      entry,
      route,
      arrival,
      tookMs: context.system.now() - startedAt,
      beganOffline,
      live: true,
    });
  } catch (error) {
    const why = asOutboxError(error, 'hook-failed', 'the request could not be sent');
    judged = judgeBroken(context, entry, route, why, arrival !== undefined);
  }
  if (request.stop?.aborted) {
    if (ahead) await abandon(context, ahead.entry);
    return { kind: 'failed', message: 'the request was aborted' };
  }

  const response = arrival?.kind === 'answer' ? arrival.answer.response : undefined;
  // The server's own word, good or bad, belongs to the page; only what may still succeed is kept.
  const final = judged.verdict.final !== 'retry' && response !== undefined;
  if (ahead) await settleAhead(context, ahead.entry, judged, final);
  else if (final && judged.gates(seen.gates) !== seen.gates) void keepGates(context, judged, entry.request.url);
  const { othersWait } = seen;
  if (final) return { kind: 'answered', response, othersWait };
  // What the page does not get, nobody reads.
  const unwanted = arrival?.kind === 'answer' ? arrival.answer : undefined;
  if (ahead) {
    void unwanted?.text(0);
    late.keptAs(ahead.entry);
    return { kind: 'queued', entry: ahead.entry };
  }
  const failed: Intent = { ...intent, entry: { ...intent.entry, ...judged.settlement.patch } };
  const message = arrival && arrival.kind !== 'answer' ? arrival.message : judged.verdict.why;
  const kept = await keep(tools, request, failed, message);
  if (kept.kind === 'failed' && response !== undefined) return { kind: 'answered', response, othersWait };
  void unwanted?.text(0);
  if (kept.kind === 'queued') late.keptAs(kept.entry);
  await keepGates(context, judged, entry.request.url);
  return kept;
}

/** Stores it; a failure to store is the caller's failure, never a "queued". */
async function keep(
  tools: TurnTools,
  { captured, stop }: Caught,
  intent: Intent,
  message: string,
): Promise<LiveResult> {
  if (stop?.aborted) return { kind: 'failed', message: 'the request was aborted' };
  try {
    const { entry } = await store(tools, captured, intent);
    return { kind: 'queued', entry };
  } catch (error) {
    const why = asOutboxError(error, 'storage-unavailable', 'the request could not be stored');
    tools.context.tell({ type: 'error', code: why.code, message: why.message });
    return { kind: 'failed', message, error: why };
  }
}

async function store(
  { context, recorder, noted, turn }: TurnTools,
  captured: Captured,
  intent: Intent,
): Promise<Recorded> {
  const [laid] = await Promise.all([laidOut(context, intent, captured), noted()]);
  const stored = recorder.record(laid);
  // One that goes live afterwards keeps its turn: its lane waits for the answer.
  if (laid.entry.state === 'pending') turn.handOver(stored);
  return stored;
}

async function writeAhead(tools: TurnTools, { captured }: Caught, intent: Intent): Promise<Recorded | LiveResult> {
  const { context } = tools;
  const until = context.system.now() + leaseMs(context, intent.entry);
  const lease: Lease = { owner: context.owner, token: 0, until, live: true };
  try {
    const recorded = await store(tools, captured, { ...intent, entry: { ...intent.entry, state: 'sending', lease } });
    if (recorded.isNew) return recorded;
    await letGo(context, recorded.entry);
    return { kind: 'queued', entry: recorded.entry };
  } catch (error) {
    const why = asOutboxError(error, 'storage-unavailable', 'the request could not be stored');
    return { kind: 'failed', message: why.message, error: why };
  }
}

const tooLate = 'its time ran out before it could leave';

/** What the attempt taught about its origin and the line; a lost write costs nothing. Never rejects. */
async function keepGates(context: Context, judged: Judged, url: string): Promise<void> {
  try {
    notify(context, await change(context.store, 'relaxed', (ledger) => learn(ledger, context, judged, url)));
  } catch (error) {
    log(context, { event: 'error', level: 'debug', message: String(error) });
  }
}

async function onlyLive(context: Context, { captured, route, stop }: Caught, intent: Intent): Promise<LiveResult> {
  const out = await outgoing(context, provisional(intent), route, captured.body);
  const arrival = await context.transport.send(out, deadlineMs(route, intent.entry.body.size), stop);
  return arrival.kind === 'answer' && arrival.answer.response !== undefined
    ? { kind: 'answered', response: arrival.answer.response, othersWait: false }
    : { kind: 'failed', message: arrival.kind === 'answer' ? 'no answer to hand over' : arrival.message };
}

/** What hooks see of a request that has no row yet. */
function provisional(intent: Intent): Entry {
  return { v: 1, seq: 0, revision: 0, head: true, ...intent.entry };
}
