import type { Entry, Lease } from '../core/entry';
import { asOutboxError } from '../core/errors';
import type { Arrival } from '../ports';
import type { Captured } from './capture';
import { laidOut } from './content';
import { log, type Context } from './context';
import { judge, judgeBroken, type Judged } from './judge';
import { lateAnswer } from './late-answer';
import { learn } from './learn';
import { isTooLate, leaseMs } from './leases';
import { change } from './ledger';
import type { Caught, LiveResult, LiveTools } from './live-request';
import { blind, lookAhead, stuck, type Ahead } from './look-ahead';
import { notify } from './notify';
import { deadlineMs, outgoing } from './outgoing';
import type { Intent, Recorded } from './record';
import type { Turn } from './turns';
import { abandon, letGo, putBack, settleAhead } from './write-ahead';

export interface TurnTools extends LiveTools {
  /** Resolves when the journal has this fetch: before it is stored, or a second dispatch would store it again. */
  readonly noted: Promise<void> | undefined;
  readonly turn: Turn;
  /** What lies before it, if that was seen already and nothing of this context has happened since. */
  readonly seen: Promise<Ahead> | undefined;
}

/** One whose turn has come: behind its lane's backlog, or live first and into the store when that fails. */
export async function inTurn(tools: TurnTools, request: Caught, intent: Intent): Promise<LiveResult> {
  const { context } = tools;
  const { captured, route, call } = request;
  if (call.onlyLive) return onlyLive(context, request, intent);
  const look = () => lookAhead(context, intent).catch(() => blind(context, intent));
  const seen = await (tools.turn.behind ? stuck : (tools.seen?.catch(look) ?? look()));
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
    const [out] = await Promise.all([outgoing(context, entry, route, captured.body), tools.noted]);
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
  const [laid] = await Promise.all([laidOut(context, intent, captured), noted]);
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

/** Without a place in the store, whatever happens. */
export async function onlyLive(
  context: Context,
  { captured, route, stop }: Caught,
  intent: Intent,
): Promise<LiveResult> {
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
