import { noCounts, type Counts } from './control';
import type { BodyInfo, DeadLetter, Entry, Failure, Attempt, Json, KeptAnswer, Outcome, State } from './entry';
import type { WaitReason } from './wait-reason';

/** An entry as pages see it: no body, no header, no key, no secret. */
export interface EntryView {
  readonly id: string;
  /** For compare-and-set: hand it back to `edit` and `cancel`. */
  readonly revision: number;
  readonly seq: number;
  readonly route: string;
  readonly lane: string | null;
  readonly method: string;
  readonly url: string;
  /** From the app; method and path where it gives none. */
  readonly title: string;
  readonly meta?: Json;
  readonly state: State;
  readonly priority: number;
  readonly createdAt: number;
  readonly dueAt: number;
  readonly expiresAt?: number;
  readonly size: number;
  readonly type: string;
  readonly attempts: number;
  readonly tries: number;
  readonly outcome: Outcome;
  readonly firstFailure?: Failure;
  readonly lastFailure?: Failure;
  readonly history: readonly Attempt[];
  readonly finishedAt?: number;
  /** False: delivered as far as anybody can tell (opaque answer). */
  readonly verified: boolean;
  /** Status of the last answer, 0 for none. */
  readonly status: number;
  /** The server answered with a repeated answer: it had been done before. */
  readonly replayed: boolean;
  readonly dead?: DeadLetter;
  readonly replays: number;
  readonly waitsFor: readonly string[];
  /** Why it is not being sent now; null when it is not pending. */
  readonly why: WaitReason | null;
}

/** What this browser and this context can promise. */
export interface OutboxStatus {
  /** `memory`: a reload loses what waits. */
  readonly durability: 'durable' | 'memory';
  /** The answer of `navigator.storage.persist()`; `unknown` until asked or where the engine has none. */
  readonly persisted: 'yes' | 'no' | 'unknown';
  /** Who sends from here. */
  readonly sender: 'worker' | 'page' | 'none';
  /** False: a request made with the page's plain `fetch` is not captured (no worker in control). */
  readonly protected: boolean;
  readonly backgroundSync: boolean;
  /** What is wrong or limited, most serious first; codes are stable. */
  readonly limits: readonly { readonly code: string; readonly message: string }[];
}

/** One immutable look at the outbox: counts and a bounded window. The same object until something changes. */
export interface OutboxSnapshot {
  /** False until the first look at the store is done. */
  readonly ready: boolean;
  readonly revision: number;
  /** When it was read, epoch ms. */
  readonly at: number;
  readonly counts: Counts;
  /** The soonest-made waiting and sending ones, open dead letters, and the latest delivered. */
  readonly entries: readonly EntryView[];
  readonly oldestPendingAt: number | null;
  readonly nextAttemptAt: number | null;
  readonly connectivity: 'online' | 'offline' | 'unknown';
  /** When everything is paused: until when (null: until resumed). */
  readonly paused: { readonly until: number | null } | null;
  /** This subject waits for sign-in. */
  readonly signInNeeded: boolean;
  /** Origins that only ever reject while others answer: "CORS or blocked?". */
  readonly suspects: readonly string[];
  readonly status: OutboxStatus;
}

/** What a page shows before its first look at the store. */
export function emptySnapshot(status: OutboxStatus): OutboxSnapshot {
  return {
    ready: false,
    revision: 0,
    at: 0,
    counts: noCounts,
    entries: [],
    oldestPendingAt: null,
    nextAttemptAt: null,
    connectivity: 'unknown',
    paused: null,
    signInNeeded: false,
    suspects: [],
    status,
  };
}

/** How many entries of each kind a snapshot holds. */
export const snapshotWindow = { waiting: 50, dead: 50, delivered: 20 } as const;

export function viewOf(entry: Entry, why: WaitReason | null): EntryView {
  const { request, body, answer } = entry;
  return {
    id: entry.id,
    revision: entry.revision,
    seq: entry.seq,
    route: entry.route,
    lane: entry.lane,
    method: request.method,
    url: request.url,
    title: entry.title ?? `${request.method} ${request.url.replace(/^[a-z]+:\/\/[^/]+/i, '')}`,
    ...(entry.meta !== undefined && { meta: entry.meta }),
    state: entry.state,
    priority: entry.priority,
    createdAt: entry.createdAt,
    dueAt: entry.dueAt,
    ...(entry.expiresAt !== undefined && { expiresAt: entry.expiresAt }),
    ...sizeOf(body),
    attempts: entry.attempts,
    tries: entry.tries,
    outcome: entry.outcome,
    ...(entry.firstFailure && { firstFailure: entry.firstFailure }),
    ...(entry.lastFailure && { lastFailure: entry.lastFailure }),
    history: entry.history,
    ...(entry.finishedAt !== undefined && { finishedAt: entry.finishedAt }),
    verified: entry.verified !== false,
    status: answer?.status ?? 0,
    replayed: answer?.replayed ?? false,
    ...(entry.dead && { dead: entry.dead }),
    replays: entry.replays,
    waitsFor: entry.waitsFor ?? [],
    why,
  };
}

function sizeOf(body: BodyInfo): { size: number; type: string } {
  return { size: body.sealed?.size ?? body.size, type: body.type };
}

/** How an entry ended, as `settled(id)` resolves. */
export type Settlement =
  | { readonly state: 'delivered'; readonly id: string; readonly answer: KeptAnswer | null }
  | { readonly state: 'dead'; readonly id: string; readonly dead: DeadLetter; readonly answer: KeptAnswer | null };
