import type { Entry, RequestParts, State } from './core/entry';
import type { Book, Gates, JournalLine, KnownSubject } from './core/control';

/** The part of a Blob the flow needs; the core has no browser types. */
export interface BlobLike {
  readonly size: number;
  readonly type: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A request body as stored and sent: bytes for small ones, a Blob for large ones. */
export type Body = Uint8Array | BlobLike;

/** Control records: everything about the outbox that is not an entry. */
export interface ControlRecords {
  /** Counters, buckets, the next `seq`: written by every change. */
  book: Book;
  /** What holds entries back: pauses, origins, sign-in. */
  gates: Gates;
  /** Who is signed in, as pages told it with `setSubject`; the worker reads it here. */
  subject: KnownSubject;
  /** Keys that seal requests at rest, by subject: non-extractable `CryptoKey`s. */
  keys: Readonly<Record<string, unknown>>;
  /** When this outbox was made, by which schema, and the name of this device: eviction is told from "new" by it. */
  sentinel: { readonly createdAt: number; readonly schema: number; readonly device: string };
  /** Rows of another library's database that were taken over and may not be removed there yet, by its name. */
  moved: Readonly<Record<string, readonly string[]>>;
}

export interface ListQuery {
  readonly subject: string;
  readonly state: State;
  /** At most this many rows. */
  readonly limit: number;
  /** Only rows past this `seq` in the direction of travel. */
  readonly after?: number;
  /** @default 'oldest-first' */
  readonly direction?: 'oldest-first' | 'newest-first';
}

/**
 * The rows of the store inside one transaction. Only these calls (and pure code) may be awaited inside it: anything
 * else lets IndexedDB commit early (`TransactionInactiveError`).
 */
export interface Rows {
  bySeq(seq: number): Promise<Entry | undefined>;
  byId(id: string): Promise<Entry | undefined>;
  byKey(key: string): Promise<Entry | undefined>;
  /** Inserts or replaces by `seq`; index keys are derived. Rejects with `duplicate-key` when `id` or `key` is another row's. */
  put(entry: Entry): Promise<void>;
  remove(seq: number): Promise<void>;
  /** Rows of a bucket that are due at `until` or earlier, soonest first; `past` skips what is not later than that position. */
  ready(bucket: string, until: number, limit: number, past?: readonly [at: number, seq: number]): Promise<Entry[]>;
  /** The soonest moment in a bucket, or undefined when it is empty. */
  nextReadyAt(bucket: string): Promise<number | undefined>;
  /** Members of a lane still standing in line, in order. */
  lane(laneKey: string, limit: number, afterSeq?: number): Promise<Entry[]>;
  /** `seq` of the last member in line, or undefined when nobody waits. */
  laneTail(laneKey: string): Promise<number | undefined>;
  /** How many stand in line. */
  laneSize(laneKey: string): Promise<number>;
  /** Waiting entries whose own deadline is at `until` or earlier, soonest first. */
  expiring(until: number, limit: number): Promise<Entry[]>;
  /** The soonest deadline of a waiting entry, or undefined when none has one. */
  nextExpiry(): Promise<number | undefined>;
  /** The waiting entries of a replacement scope, oldest first. */
  replaceable(scope: string): Promise<Entry[]>;
  list(query: ListQuery): Promise<Entry[]>;
  /** Rows retention may forget (delivered, or dead and closed) that ended at `until` or earlier, oldest first. */
  finished(state: State, until: number, limit: number): Promise<Entry[]>;
  /** Every row past a `seq`, in store order: for export, audit and recounting. Finds rows that no index finds. */
  scan(afterSeq: number, limit: number): Promise<Entry[]>;
  body(seq: number): Promise<Body | undefined>;
  putBody(seq: number, body: Body): Promise<void>;
  removeBody(seq: number): Promise<void>;
  control<K extends keyof ControlRecords>(name: K): Promise<ControlRecords[K] | undefined>;
  putControl<K extends keyof ControlRecords>(name: K, value: ControlRecords[K]): Promise<void>;
  /** Fetches a worker has caught and not answered yet, in the order of their keys. */
  journal(): Promise<JournalLine[]>;
  journalLine(key: string): Promise<JournalLine | undefined>;
  /** Inserts or replaces by its key. */
  putJournalLine(line: JournalLine): Promise<void>;
  removeJournalLine(key: string): Promise<void>;
}

/** `read` changes nothing. `strict` resolves when the change is on the disk, `relaxed` when the system has it. */
export type Durability = 'read' | 'strict' | 'relaxed';

export interface StoreStatus {
  /** `memory` means: a reload loses it, and every answer to the page says so. */
  readonly durability: 'durable' | 'memory';
  /** Why it is memory only, or what is wrong with it now. */
  readonly problem?: { readonly code: string; readonly message: string };
}

export interface Store {
  /**
   * Runs `work` in one transaction and resolves with its result after the commit. When `work` throws, nothing is changed.
   * `work` may run a second time (lost connection), so it must be repeatable.
   * @throws OutboxError `storage-unavailable`, `storage-blocked`, `storage-newer`, `quota-exceeded`, or what `work` threw
   */
  transact<T>(durability: Durability, work: (rows: Rows) => Promise<T>): Promise<T>;
  status(): StoreStatus;
  close(): void;
}

/** A request about to leave. */
export interface Outgoing extends RequestParts {
  readonly body: Body | null;
}

/** An answer's facts without its body. */
export interface AnswerHead {
  /** 0 when opaque. */
  readonly status: number;
  /** `basic`, `cors`, `default`, `opaque`, `opaqueredirect`, `error`. */
  readonly type: string;
  readonly url: string;
  readonly redirected: boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** An answer of the server; the body is read at most once, and only as far as asked. */
export interface Arrived extends AnswerHead {
  /**
   * The first `maxBytes` of the body as text. With `keep` it reads a clone, so that `response` can still be handed to the
   * page; otherwise the rest is cancelled, all of it unread when `maxBytes` is 0. Never rejects: an unreadable body is `''` and `truncated`.
   */
  text(maxBytes: number, keep?: boolean): Promise<{ readonly text: string; readonly truncated: boolean }>;
  /** The platform's own Response, unread unless `text` was called without `keep`; undefined where there is none. */
  readonly response?: unknown;
}

/** What an attempt came to before anybody judges it. `network` is a rejected fetch, `timeout` our own deadline, `aborted` our own signal. */
export type Arrival =
  | { readonly kind: 'answer'; readonly answer: Arrived }
  | { readonly kind: 'network' | 'timeout' | 'aborted'; readonly message: string };

/** The part of an AbortSignal the flow needs. */
export interface Stop {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options: { once: true }): void;
}

export interface Transport {
  /** Whether the platform can make this request at all. @throws OutboxError `not-storable` naming what it will not have */
  check(request: RequestParts, hasBody: boolean): void;
  /**
   * Never rejects.
   * @param timeoutMs own deadline, milliseconds; 0 is none
   * @param stop the page gave up
   * @param late told of an answer that comes after the deadline, within a minute; without it the deadline ends the request
   */
  send(request: Outgoing, timeoutMs: number, stop?: Stop, late?: (answer: Arrived) => void): Promise<Arrival>;
}

/** Carries small news between contexts. Losing any of it must be harmless: the store has the truth. */
export interface Channel {
  /** False where the engine has no such thing: nothing is ever heard. */
  readonly hears: boolean;
  post(message: unknown): void;
  subscribe(listener: (message: unknown) => void): () => void;
  close(): void;
}

/** What whoever works under a lock can know of others. */
export interface Held {
  /** It was stolen meanwhile. */
  readonly lost: boolean;
  /**
   * When the work began nobody else was at work under this lock, not even somebody it had been stolen from. False where that
   * cannot be known (no Web Locks).
   */
  readonly alone: boolean;
}

export interface Lock {
  /**
   * Runs `work` while holding the lock. `wait: false` returns `{ held: false }` at once when somebody else has it; `steal`
   * takes it from a holder that seems frozen (its code goes on, so every settle still checks its fencing token).
   */
  hold<T>(
    name: string,
    options: { readonly wait: boolean; readonly steal?: boolean },
    work: (held: Held) => Promise<T>,
  ): Promise<{ readonly held: true; readonly value: T } | { readonly held: false }>;
}

/** Clock, dice and timers: the only door to them. */
export interface System {
  /** Wall clock, epoch ms. */
  now(): number;
  /** A number in [0, 1). */
  random(): number;
  /** A new random id, URL-safe. */
  id(): string;
  /** A new UUID version 4 (RFC 9562 section 5.4). */
  uuid(): string;
  /** `navigator.onLine === false`: wrong in both directions, so it may hasten and explain, never forbid. */
  saysOffline(): boolean;
  /** The platform knows that the connection costs money, or that the person asked to save data; false where it does not say. */
  saysMetered(): boolean;
  /** Runs `work` once after `delayMs` (any length: chained below 2^31-1 ms). Returns how to call it off. */
  timer(delayMs: number, work: () => void): () => void;
}

/** What a context hands to the flow. */
export interface Ports {
  readonly store: Store;
  readonly transport: Transport;
  readonly channel: Channel;
  readonly lock: Lock;
  readonly system: System;
}
