import { HoldfastServerError } from './errors';
import type { EventSink } from './events';
import { defaultFingerprint } from './fingerprint';
import type { FingerprintOptions } from './fingerprint';
import { keepAnswer, neverKept } from './keep-answer';
import type { FreshAnswer } from './keep-answer';
import type { Store } from './store';
import { realSystem } from './system';
import type { System } from './system';

/** What an app says about a run whose outcome nobody knows: do it again, refuse, or "this was the answer". */
export type UnknownRuling = 'rerun' | 'refuse' | Response;

/** What is known of such a run. */
export interface UnknownRun {
  readonly key: string;
  readonly principal: string | undefined;
}

export interface GuardOptions<Source> {
  readonly store: Store;
  /**
   * Who is asking, as the app has verified it: an account's id, with the tenant's if there are tenants. Answers are only
   * ever replayed to the same principal. `undefined` is the one caller nobody knows.
   * @default the whole `Authorization` and `Cookie` fields, which is safe, but takes a refreshed token for another caller
   */
  readonly principal?: (request: Source) => string | null | undefined | Promise<string | null | undefined>;
  /** Methods that are guarded; all others pass untouched. @default ['POST', 'PUT', 'PATCH', 'DELETE'] */
  readonly methods?: readonly string[];
  /** Whether a guarded request without a key is refused with 400 (else it passes unguarded). @default false */
  readonly required?: boolean | ((request: Source) => boolean);
  /** The field that carries the key. @default 'idempotency-key' */
  readonly header?: string;
  /** Longest key, in characters. @default 255 */
  readonly maxKeyLength?: number;
  /** Largest request body, which is held in memory to be fingerprinted; a larger one gets 413. @default 33_554_432 (32 MiB) */
  readonly maxBodyBytes?: number;
  readonly fingerprint?: FingerprintOptions;
  /** How long a claim holds when its process dies. A slow handler's is renewed at every third of it. @default 30_000 */
  readonly leaseMs?: number;
  /** How long a handler's lease is renewed at most. @default 900_000 (15 minutes) */
  readonly maxRunMs?: number;
  /** How long a request waits for the answer of the one that is running, before its 409. @default 0 */
  readonly waitMs?: number;
  /** When a 409 "in progress" says to come back. @default 1_000 */
  readonly retryAfterMs?: number;
  /** How long answers are kept; published as `Idempotency-Retention`. @default 604_800_000 (7 days) */
  readonly retentionMs?: number;
  /** How long after that a key is refused as expired and not taken for a new one. @default 2_592_000_000 (30 days) */
  readonly tombstoneMs?: number;
  /**
   * What happens when a lease ran out without an answer: the handler may have done its work or not. `rerun` is right
   * where a second run does no harm (`withIdempotency`, an upsert); a function is asked each time.
   * @default 'refuse'
   */
  readonly onUnknown?:
    | 'rerun'
    | 'refuse'
    | ((request: Source, known: UnknownRun) => UnknownRuling | Promise<UnknownRuling>);
  /** What happens while the store cannot be reached. @default 'reject-503' */
  readonly onStoreError?: 'reject-503' | 'proceed' | ((request: Source) => 'reject-503' | 'proceed');
  /** How long one store call may take at most; it is given up after at least half of that. @default 5_000 */
  readonly storeTimeoutMs?: number;
  /** Which answers are kept. @default keepAnswer */
  readonly keepAnswer?: (answer: FreshAnswer) => boolean;
  /** Headers kept besides the default ones, in lower case. @default [] */
  readonly keepHeaders?: readonly string[];
  /** Largest body kept. @default 1_048_576 (1 MiB) */
  readonly maxAnswerBytes?: number;
  /**
   * What a retry gets where the answer was too large or a stream: its status and headers without the body, or a second
   * run. @default 'omit-body'
   */
  readonly onUnstorable?: 'omit-body' | 'rerun';
  /** The page that explains keys to callers, for `Link: rel="describedby"`. @default the draft's page */
  readonly describedBy?: string;
  /** Receives every event, for logs and metrics. @default none */
  readonly on?: EventSink;
  /** How often a request's tail sweeps the store; 0 never. @default 60_000 */
  readonly sweepEveryMs?: number;
  /** How many records one sweep touches at most. @default 500 */
  readonly sweepLimit?: number;
  /** Clock, timers, dice. @default realSystem */
  readonly system?: System;
}

/** The defaults, in one place. */
export const defaultOptions = {
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  required: false,
  header: 'idempotency-key',
  maxKeyLength: 255,
  maxBodyBytes: 33_554_432,
  fingerprint: defaultFingerprint,
  leaseMs: 30_000,
  maxRunMs: 900_000,
  waitMs: 0,
  retryAfterMs: 1_000,
  retentionMs: 604_800_000,
  tombstoneMs: 2_592_000_000,
  onUnknown: 'refuse',
  onStoreError: 'reject-503',
  storeTimeoutMs: 5_000,
  keepAnswer,
  keepHeaders: [],
  maxAnswerBytes: 1_048_576,
  onUnstorable: 'omit-body',
  describedBy: 'https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/',
  sweepEveryMs: 60_000,
  sweepLimit: 500,
  system: realSystem,
} as const satisfies Omit<GuardOptions<never>, 'store' | 'principal' | 'on'>;

/** Options with every default in place. */
export type FullOptions<Source> = Required<Omit<GuardOptions<Source>, 'principal' | 'on' | 'fingerprint'>> &
  Pick<GuardOptions<Source>, 'principal' | 'on'> & { readonly fingerprint: Required<FingerprintOptions> };

/** Numbers that would switch the guard off if they were 0. */
const atLeastOne = ['leaseMs', 'retentionMs', 'maxKeyLength', 'storeTimeoutMs', 'sweepLimit', 'maxRunMs'];

/** @throws HoldfastServerError `bad-option` if one is missing or makes no sense */
export function withDefaults<Source>(options: GuardOptions<Source>): FullOptions<Source> {
  const fingerprint = { ...defaultFingerprint, ...given(options.fingerprint ?? {}) };
  const full = { ...defaultOptions, ...given(options), fingerprint };
  if (typeof options.store !== 'object') throw bad('store is missing: hand in memoryStore(), sqliteStore(), …');
  for (const [name, usual] of Object.entries(defaultOptions)) {
    const value: unknown = full[name as keyof typeof defaultOptions];
    const least = atLeastOne.includes(name) ? 1 : 0;
    // NaN and a number written as text are refused, too.
    if (typeof usual !== 'number' || (typeof value === 'number' && value >= least)) continue;
    throw bad(`${name} must be a number of at least ${least}, got ${String(value)}`);
  }
  const session = full.keepHeaders.find((name) => neverKept.includes(name.toLowerCase()));
  if (session !== undefined) throw bad(`keepHeaders must not name ${session}: a session is never replayed`);
  return full;
}

/** The options without those that are `undefined`, which would hide a default. */
function given<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}

function bad(message: string): HoldfastServerError {
  return new HoldfastServerError('bad-option', message);
}
