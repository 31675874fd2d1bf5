import type { AnswerClass } from './answer-class';
import { hasBudget } from './budget';
import type { DeadReason, Outcome } from './entry';
import { detour, refusedElsewhere } from './detour';
import { problemTypes } from './problem-types';
import { classOfStatus, type VerdictTable } from './verdict-table';

/** What an attempt came to, and what must be known to judge it. */
export interface AttemptFacts {
  /** `network`: fetch rejected. `timeout`: our own deadline. `aborted`: we stopped it ourselves for a reason of ours. */
  readonly kind: 'answer' | 'network' | 'timeout' | 'aborted';
  /** 0 when no answer came or it is opaque. */
  readonly status: number;
  /** `basic`, `cors`, `default`, `opaque`, `opaqueredirect`, `error`; `''` when no answer came. */
  readonly type: string;
  /** Of the answer, absolute; `''` when unknown. */
  readonly url: string;
  readonly redirected: boolean;
  readonly requestMethod: string;
  /** Absolute. */
  readonly requestUrl: string;
  /** The request's `Accept`, or null. */
  readonly requestAccept: string | null;
  /** The request's `Content-Type`, or null. @default null */
  readonly requestType?: string | null;
  /** The answer's `Content-Type`, or null. */
  readonly contentType: string | null;
  /** `type` of the answer's problem document, when it has one. */
  readonly problemType?: string;
  /** What was known of the server's side before this attempt. */
  readonly outcomeBefore: Outcome;
  /** Whether anything reached a server lately: the verdict of `connectivity.ts` after this attempt. */
  readonly connectivity: 'online' | 'offline' | 'unknown';
  /**
   * The platform said "offline" when the attempt began and when it failed, and it failed at once: it never left the device.
   * The one thing `navigator.onLine` is good for; alone it forbids nothing. @default false
   */
  readonly neverLeft?: boolean;
  /** The attempt began in the moment after a resume or online hint, when networks are not up yet. @default false */
  readonly settling?: boolean;
}

export interface ClassifyOptions {
  /** Statuses whose class differs from the table. @default {} */
  readonly verdicts: VerdictTable;
  /** Statuses beside 401 that mean "other credentials" (403, 419, 440 are in use). @default [] */
  readonly authStatuses: readonly number[];
  /** `wait`: somebody can renew credentials, so the entry waits for sign-in. `refuse`: nobody can. @default 'refuse' */
  readonly auth: 'wait' | 'refuse';
  /** `accept`: HTML where the request accepts only JSON is a captive portal. `json`: HTML always is. `any`: it never is. @default 'accept' */
  readonly expects: 'accept' | 'json' | 'any';
  /**
   * What a POST that was redirected within its origin means when no page was asked for, and any write that was led to a page
   * so. A browser does not tell 303 ("see the result there") from 301 and 302, which turned a POST into a GET whose body never
   * arrived. @default 'refuse'
   */
  readonly redirects: 'accept' | 'refuse';
  /** Problem types with which a 409 says "the same key is being worked on". @default ['urn:holdfast:idempotency:in-progress'] */
  readonly inProgressTypes: readonly string[];
}

export const defaultClassify: ClassifyOptions = {
  verdicts: {},
  authStatuses: [],
  auth: 'refuse',
  expects: 'accept',
  redirects: 'refuse',
  inProgressTypes: [problemTypes.inProgress],
};

/** What follows from an attempt. */
export interface Verdict {
  readonly class: AnswerClass;
  readonly final: 'deliver' | 'refuse' | 'retry';
  /** Uses up budget and raises the backoff. */
  readonly counted: boolean;
  /** The whole origin is left alone for a while. */
  readonly pausesOrigin: boolean;
  /** After it nobody knows whether the server did the work. */
  readonly unknown: boolean;
  /** For people: what it was taken for, and why. */
  readonly why: string;
  /** Why it is dead, when refused. */
  readonly reason?: DeadReason;
}

interface Finding {
  readonly class: AnswerClass;
  readonly why: string;
  readonly reason?: DeadReason;
  /** The server says that nothing was done. */
  readonly untouched?: boolean;
  /** Costs nothing although it failed: it was never begun. */
  readonly free?: boolean;
}

/** What the server half says about a key is more exact than any status. The treaty is `docs/wire.md`. */
const byProblem: Readonly<Record<string, Finding>> = {
  [problemTypes.keyExpired]: {
    class: 'rejected',
    reason: 'held',
    why: 'the server no longer remembers whether it did this',
  },
  [problemTypes.outcomeUnknown]: {
    class: 'rejected',
    reason: 'held',
    why: 'the server does not know whether it did this',
  },
  [problemTypes.failedAfterCommit]: {
    class: 'rejected',
    reason: 'held',
    why: 'the server did it and then could not say what came of it',
  },
  [problemTypes.storeUnavailable]: {
    class: 'overload',
    untouched: true,
    why: 'the server cannot protect it from being done twice now',
  },
  [problemTypes.notAttempted]: {
    class: 'server',
    untouched: true,
    free: true,
    why: 'the server did not begin with it',
  },
};

/**
 * Statuses after which the work was not done for certain: the server said so itself before it began. A 503 is not among
 * them, since a gateway also says 503 after its backend took the request and was lost.
 */
const surelyNotDone = [408, 421, 425, 429, 511];

/** Judges an attempt: data in, verdict out. Errors are told apart by our own signals and codes, never by an error's text. */
export function classify(facts: AttemptFacts, options: ClassifyOptions = defaultClassify): Verdict {
  return verdictOf(facts.kind === 'answer' ? judge(facts, options) : withoutAnswer(facts), facts, options);
}

/** The verdict when a hook names the class. */
export function overruled(kind: AnswerClass, facts: AttemptFacts, options: ClassifyOptions = defaultClassify): Verdict {
  return verdictOf({ class: kind, why: 'the app says so' }, facts, options);
}

function withoutAnswer({ kind, connectivity }: AttemptFacts): Finding {
  if (kind === 'timeout') return { class: 'timeout', why: 'no answer came in time' };
  if (kind === 'aborted') return { class: 'network', why: 'the attempt was broken off on this side' };
  return connectivity === 'online'
    ? { class: 'network', why: 'the request failed while others get through' }
    : { class: 'offline', why: 'nothing reaches a server now' };
}

function judge(facts: AttemptFacts, options: ClassifyOptions): Finding {
  const { status, type, problemType, requestMethod, outcomeBefore, redirected } = facts;
  if (type === 'opaque') return { class: classOfStatus('opaque', options.verdicts), why: 'the answer cannot be read' };
  // Status 0 that is neither: `Response.error()`.
  if (type !== 'opaqueredirect' && status === 0) return withoutAnswer({ ...facts, kind: 'network' });
  const away = status >= 400 ? refusedElsewhere(facts, options) : null;
  if (away) return away;
  if (problemType !== undefined && status >= 400) {
    if (status === 409 && options.inProgressTypes.includes(problemType)) {
      return { class: 'in-progress', why: 'the server is still working on the same request' };
    }
    const found = Object.hasOwn(byProblem, problemType) ? byProblem[problemType] : undefined;
    if (found) return found;
  }
  const kind = classOfStatus(status, options.verdicts);
  const why = type === 'opaqueredirect' ? 'the server answered with a redirect' : `the server answered ${status}`;
  const finding = (found: AnswerClass): Finding => ({ class: found, why });

  if (type === 'opaqueredirect' || kind === 'delivered') return detour(facts, options) ?? finding('delivered');
  if (Object.hasOwn(options.verdicts, status)) return finding(kind);
  if (options.authStatuses.includes(status)) return finding('auth');
  const gone = (status === 404 || status === 410) && requestMethod === 'DELETE';
  if (gone && outcomeBefore === 'unknown' && !redirected) {
    return { class: 'delivered', why: 'it is gone, so an earlier attempt deleted it' };
  }
  return finding(kind);
}

function verdictOf(found: Finding, facts: AttemptFacts, options: ClassifyOptions): Verdict {
  const final = finalOf(found.class, options);
  const reason = final === 'refuse' ? (found.reason ?? reasonOf(found.class)) : undefined;
  return {
    class: found.class,
    final,
    counted: final === 'retry' && !found.free && counts(found.class, facts),
    pausesOrigin: found.class === 'overload',
    unknown:
      final === 'retry' &&
      !found.untouched &&
      !stayed(found, facts) &&
      !surelyNotDone.includes(facts.status) &&
      found.class !== 'auth',
    why: found.why,
    ...(reason && { reason }),
  };
}

/** Whether it is certain that nothing left this device. */
function stayed(found: Finding, { neverLeft = false }: AttemptFacts): boolean {
  return found.class === 'offline' && neverLeft;
}

function finalOf(kind: AnswerClass, { auth }: ClassifyOptions): Verdict['final'] {
  switch (kind) {
    case 'delivered':
    case 'unverified':
      return 'deliver';
    case 'conflict':
    case 'redirected':
    case 'rejected':
      return 'refuse';
    case 'auth':
      return auth === 'wait' ? 'retry' : 'refuse';
    case 'offline':
    case 'captive':
    case 'network':
    case 'timeout':
    case 'server':
    case 'overload':
    case 'in-progress':
      return 'retry';
  }
}

function reasonOf(kind: AnswerClass): DeadReason {
  return kind === 'conflict' || kind === 'auth' ? kind : 'rejected';
}

/**
 * Attempts that reached no server cost nothing. Without an answer that is known only by whether others get through: a
 * timeout while nothing else reaches a server is a dead link, as is any failure in the moment after a resume.
 */
function counts(kind: AnswerClass, { kind: how, connectivity, settling }: AttemptFacts): boolean {
  if (!hasBudget(kind) || how === 'aborted') return false;
  return how === 'answer' || (connectivity !== 'offline' && settling !== true);
}
