import { afterOutcome, defaultBreaker, pausedFor } from '../core/breaker';
import { classify, defaultClassify, type AttemptFacts, type ClassifyOptions, type Verdict } from '../core/classify';
import { clockCompared } from '../core/clock';
import type { ResolvedRoute } from '../core/config';
import { afterAttempt, afterHint, isSettling, type Connectivity, type Reach } from '../core/connectivity';
import { openGates, type Gates } from '../core/control';
import type { Entry, KeptAnswer } from '../core/entry';
import type { OutboxError } from '../core/errors';
import { parseHttpDate } from '../core/http-date';
import { originOf } from '../core/index-keys';
import { parseProblem } from '../core/problem';
import { parseRateLimit, rateLimitWaitMs } from '../core/rate-limit';
import { askedWaitMs, defaultRetryAfter } from '../core/retry-after';
import { settlement, type Settlement } from '../core/settlement';
import { headerOf } from '../core/header-pairs';
import { markerHeader, replayedHeader } from '../core/wire';
import type { Arrival, Arrived, Body } from '../ports';
import type { Context } from './context';
import { resolveConflict } from './conflict';
import { answerView, consult } from './consult';
import { settled, type GatesChange } from './gates-change';

/** What an attempt came to, and everything that follows from it. */
export interface Judged {
  readonly verdict: Verdict;
  readonly settlement: Settlement;
  readonly answer?: KeptAnswer | undefined;
  /** A body that takes the stored one's place, when the app corrected the request. */
  readonly apart?: Body | undefined;
  /** The gates after it; the same object when nothing worth writing changed. */
  readonly gates: GatesChange;
}

export interface Judging {
  readonly entry: Entry;
  readonly route: ResolvedRoute;
  readonly arrival: Arrival;
  readonly tookMs: number;
  /** The platform said "offline" when it began. */
  readonly beganOffline: boolean;
  /** The answer goes on to the page, so its body must stay readable. @default false */
  readonly live?: boolean;
  /** It came after its deadline, when the entry was kept already. @default false */
  readonly late?: boolean;
}

/** A request that fails sooner than this, while the platform says "offline" before and after, never left the device; ms. */
const quickMs = 1_000;

/** Problem documents are short; more than this is not read, bytes. */
const problemMax = 8_192;

/** An answer of ours is no answer of the server's: a worker kept a request that a page's outbox was sending. */
function unmasked(arrival: Arrival): Arrival {
  const ours = arrival.kind === 'answer' && headerOf(arrival.answer.headers, markerHeader) !== null;
  return ours ? { kind: 'network', message: 'a worker kept it; the server was not reached' } : arrival;
}

/**
 * Whether a 409 is a conflict or "the same key is being worked on" stands in its body. One that broke off before that says
 * neither, and a conflict would be the end of the entry.
 */
async function unbroken(arrival: Arrival): Promise<Arrival> {
  if (arrival.kind !== 'answer' || arrival.answer.status !== 409 || !isProblem(arrival.answer)) return arrival;
  const { text, truncated } = await arrival.answer.text(problemMax, true);
  return truncated && text === '' ? { kind: 'network', message: 'the answer broke off' } : arrival;
}

function isProblem({ headers }: Arrived): boolean {
  return /problem\+json/i.test(headerOf(headers, 'content-type') ?? '');
}

/** Turns what came back into a verdict, a move and the lessons for the gates. @throws OutboxError `hook-failed` (`resolveConflict`) */
export async function judge(context: Context, given: Judging): Promise<Judged> {
  const judging = { ...given, arrival: await unbroken(unmasked(given.arrival)) };
  const { entry, route, arrival, tookMs } = judging;
  const { system, config } = context;
  const now = system.now();
  const gatesNow = arrival.kind === 'answer' ? openGates : await gatesOf(context);
  const dice = system.random();
  const options = classifyOptions(context, route);
  const asked = arrival.kind === 'answer' ? askedWaitMs(arrival.answer.headers, now) : null;
  const neverLeft = judging.beganOffline && system.saysOffline() && tookMs < quickMs;
  const facts = await factsOf(judging, gatesNow, now, dice, neverLeft);
  const byTable = classify(facts, options);
  const table = { verdict: byTable, askedMs: asked };
  const { verdict, askedMs, lesson } = await consult(context, judging, facts, table, options);
  const record = {
    status: facts.status,
    ...(facts.problemType !== undefined && { problem: facts.problemType }),
    message: arrival.kind === 'answer' ? verdict.why : arrival.message,
    tookMs,
    askedMs,
  };
  const move = settlement(entry, verdict, record, route.retry, now, system.random());
  const origin = originOf(entry.request.url);
  const reach = reachOf(arrival, lesson);
  const serverNow =
    arrival.kind === 'answer' ? parseHttpDate(headerOf(arrival.answer.headers, 'date') ?? '', now) : null;
  const answer =
    arrival.kind === 'answer' && verdict.class !== 'captive'
      ? await keepAnswer(judging, arrival.answer, route, now)
      : undefined;
  // A live request's 401 is answered to the page, which knows best what to do about it.
  const waitsForSignIn = verdict.class === 'auth' && verdict.final === 'retry' && !judging.live;
  const judged: Judged = {
    verdict,
    settlement: askedMs === null ? move : { ...move, patch: { ...move.patch, askedUntil: now + askedMs } },
    answer,
    gates: (gates: Gates) =>
      settled(
        gates,
        {
          ...gates,
          connectivity: reach ? afterAttempt(believing(gates, neverLeft, now), reach, now, dice) : gates.connectivity,
          ...(waitsForSignIn && { signIn: { ...gates.signIn, [entry.subject]: { since: now } } }),
          clock: serverNow === null ? gates.clock : clockCompared(gates.clock, now, serverNow),
          origins: {
            ...gates.origins,
            [origin]: pausedFor(
              afterOutcome(gates.origins[origin], lesson, askedMs, now, dice, {
                ...defaultBreaker,
                cap: config.concurrency,
              }),
              quotaMs(arrival),
              now,
            ),
          },
        },
        origin,
      ),
  };
  // A live request's conflict is the page's own affair, and a late one is met again.
  if (arrival.kind !== 'answer' || judging.live || judging.late) return judged;
  const view = { ...answerView(arrival.answer, route), text: () => Promise.resolve(answer?.body ?? '') };
  return resolveConflict(context, entry, route, judged, view);
}

/**
 * An entry whose row, body or hook is broken. It waits or dies alone.
 * @param sent whether it had left before that: then nobody knows what became of it
 */
export function judgeBroken(
  context: Context,
  entry: Entry,
  route: ResolvedRoute,
  error: OutboxError,
  sent: boolean,
): Judged {
  const passing = error.code === 'hook-failed' || error.code.startsWith('storage-');
  const verdict: Verdict = {
    class: passing ? 'server' : 'rejected',
    final: passing ? 'retry' : 'refuse',
    // A store that cannot be read now says nothing about the request; a hook that fails must not be asked for ever.
    counted: error.code === 'hook-failed',
    pausesOrigin: false,
    unknown: sent,
    why: error.message,
    ...(!passing && { reason: error.code === 'dependency-failed' ? ('unresolved' as const) : ('unreadable' as const) }),
  };
  const now = context.system.now();
  const record = { status: 0, message: error.message, tookMs: 0, askedMs: null };
  const move = settlement(entry, verdict, record, route.retry, now, context.system.random());
  // When nothing left the browser in this attempt, what is known of the server's side stays as it was.
  const patch = sent ? move.patch : { ...move.patch, outcome: entry.outcome };
  return { verdict, settlement: { ...move, patch }, gates: (gates) => gates };
}

/** Where the platform says "offline" too, an answer of half a minute ago no longer vouches for the connection. */
function believing({ connectivity }: Gates, neverLeft: boolean, now: number): Connectivity {
  return neverLeft ? afterHint(connectivity, 'offline', now) : connectivity;
}

async function factsOf(
  { entry, arrival, tookMs }: Judging,
  gates: Gates,
  now: number,
  dice: number,
  neverLeft: boolean,
): Promise<AttemptFacts> {
  const { request, outcome } = entry;
  const asked = {
    requestMethod: request.method,
    requestUrl: request.url,
    requestAccept: headerOf(request.headers, 'accept'),
    requestType: headerOf(request.headers, 'content-type'),
    outcomeBefore: outcome,
  };
  if (arrival.kind !== 'answer') {
    const reach = arrival.kind === 'timeout' ? 'timeout' : 'rejected';
    return {
      ...asked,
      kind: arrival.kind,
      status: 0,
      type: '',
      url: '',
      redirected: false,
      contentType: null,
      connectivity: afterAttempt(believing(gates, neverLeft, now), reach, now, dice).verdict,
      settling: isSettling(gates.connectivity, now - tookMs),
      neverLeft,
    };
  }
  const { status, type, url, redirected, headers } = arrival.answer;
  const contentType = headerOf(headers, 'content-type');
  const problem =
    contentType && isProblem(arrival.answer)
      ? parseProblem(contentType, (await arrival.answer.text(problemMax, true)).text)
      : null;
  return {
    ...asked,
    kind: 'answer',
    status,
    type,
    url,
    redirected,
    contentType,
    connectivity: 'online',
    ...(problem && { problemType: problem.type }),
  };
}

function classifyOptions(context: Context, route: ResolvedRoute): ClassifyOptions {
  const canRenew = route.refresh ?? context.config.config.refresh;
  return {
    ...defaultClassify,
    verdicts: route.verdicts,
    authStatuses: route.authStatuses,
    expects: route.expects,
    redirects: route.redirects,
    auth: canRenew || context.config.config.subject ? 'wait' : 'refuse',
  };
}

/** How long a used-up quota asks to leave the origin alone, on any answer, ms. */
function quotaMs(arrival: Arrival): number {
  const field = arrival.kind === 'answer' ? headerOf(arrival.answer.headers, 'ratelimit') : null;
  return Math.min(rateLimitWaitMs(parseRateLimit(field ?? '')) ?? 0, defaultRetryAfter.maxMs);
}

/** What an attempt says about the connection; one that we broke off ourselves says nothing. */
function reachOf(arrival: Arrival, verdict: Verdict): Reach | null {
  if (arrival.kind === 'aborted') return null;
  if (arrival.kind === 'answer') return verdict.class === 'captive' ? 'captive' : 'reached';
  return arrival.kind === 'timeout' ? 'timeout' : 'rejected';
}

async function keepAnswer(
  { live = false }: Judging,
  answer: Arrived,
  route: ResolvedRoute,
  now: number,
): Promise<KeptAnswer> {
  const kept = route.keepHeaders.map((name) => name.toLowerCase());
  const { text, truncated } =
    live || route.keepBodyBytes === 0 ? { text: undefined, truncated: false } : await answer.text(route.keepBodyBytes);
  return {
    status: answer.status,
    headers: answer.headers.filter(([name]) => kept.includes(name.toLowerCase())),
    ...(text !== undefined && { body: text }),
    truncated,
    replayed: headerOf(answer.headers, replayedHeader) === 'true',
    at: now,
  };
}

async function gatesOf(context: Context): Promise<Gates> {
  try {
    return (await context.store.transact('read', (rows) => rows.control('gates'))) ?? openGates;
  } catch {
    // Without the store nobody knows; the failure is then taken for what it looks like.
    return openGates;
  }
}
