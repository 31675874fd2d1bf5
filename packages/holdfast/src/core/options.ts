import type { AnswerClass } from './answer-class';
import type { BatchDoor } from './batch-door';
import type { Entry, Json } from './entry';
import type { LogSink } from './log';
import type { Metered } from './metered';
import type { RequestFacts } from './request-facts';
import type { Backoff } from './backoff';
import type { Budgets } from './budget';
import type { Window } from './windows';
import type { EntryView } from './snapshot';

/** How often and how soon one route tries again. */
export interface RetryPolicy {
  readonly backoff: Backoff;
  readonly budgets: Budgets;
}

/** What hooks see of an answer: the head, and a bounded copy of the body on request. */
export interface AnswerView {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly url: string;
  readonly redirected: boolean;
  /** Up to the route's limit, as text. */
  text(): Promise<string>;
}

/** What `beforeSend` and `freshFields` see of a request about to leave. */
export interface SendView {
  readonly entry: EntryView;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** What a hook may decide about an answer; undefined leaves the table's verdict. */
export type ClassifyResult = AnswerClass | { readonly class: AnswerClass; readonly retryAfterMs?: number } | undefined;

/** Hooks may be async. One that throws, hangs (10 s) or returns nonsense hurts its own entry only. */
export interface Hooks {
  /** Sees a bounded copy of the answer; may overrule the table, for example for GraphQL errors in a 200. */
  readonly classify?: (answer: AnswerView, entry: EntryView) => ClassifyResult | Promise<ClassifyResult>;
  /** Fresh credentials before each attempt: returns headers to set (null removes one). */
  readonly beforeSend?: (
    request: SendView,
  ) =>
    | Readonly<Record<string, string | null>>
    | undefined
    | Promise<Readonly<Record<string, string | null>> | undefined>;
  /**
   * Values of body fields that must be fresh on each attempt, such as a token against forgery: top-level strings of JSON, fields of a
   * form, text parts of an upload, by name. Fields the body does not have are not added. The bytes then differ between attempts
   * under one key, so the server must leave these fields out of its fingerprint (`ignore` of `holdfast-server`).
   */
  readonly freshFields?: (
    request: SendView,
  ) => Readonly<Record<string, string>> | undefined | Promise<Readonly<Record<string, string>> | undefined>;
  /** Called once per drain after a 401; true when the credentials are good again. */
  readonly refresh?: (entry: EntryView) => boolean | Promise<boolean>;
  /** A 409/412: `retry` sends again, an object sends that instead under a new key, undefined leaves it dead. */
  readonly resolveConflict?: (answer: AnswerView, entry: EntryView) => ConflictResult | Promise<ConflictResult>;
  /** Asked before a dead letter is replayed: true when the target has it already. */
  readonly alreadyDone?: (entry: EntryView) => boolean | Promise<boolean>;
  readonly onDead?: (entry: EntryView) => void | Promise<void>;
  readonly onTriage?: (entry: EntryView) => void | Promise<void>;
}

export type ConflictResult =
  | 'retry'
  | 'delivered'
  | { readonly url?: string; readonly headers?: Readonly<Record<string, string | null>>; readonly json?: Json }
  | undefined;

/** How the page's own `fetch` is answered when its write was kept. */
export type Reply =
  /** 202 with `{ id, key, state: "queued" }`. */
  | 'queued'
  /** The network error `fetch` would have given; the entry is queued all the same. */
  | 'error'
  /** A 303 to this page, for form posts. */
  | { readonly redirect: string }
  /** The app's own Response. */
  | ((entry: EntryView) => unknown);

export interface Route extends Hooks {
  /** Unique; shown to people and used in statistics. */
  readonly name: string;
  /** `/docs/:id` on the app's own origin, `https://api.example/orders*`, a RegExp over the absolute URL, or a function. */
  readonly match: string | RegExp | ((request: RequestFacts) => boolean);
  /** @default ['POST', 'PUT', 'PATCH', 'DELETE'] */
  readonly methods?: readonly string[];
  /** Scope of order: a name, a template with the pattern's names (`doc-:id`), a function, or null for none. @default the route's name */
  readonly lane?: string | null | ((request: RequestFacts) => string | null);
  /** 0 (most urgent) to 7. @default 3 */
  readonly priority?: number;
  /** `on-failure`: the live attempt goes first. `write-ahead`: stored before the live attempt. @default 'on-failure' */
  readonly capture?: 'on-failure' | 'write-ahead';
  /** @default 'queued' */
  readonly reply?: Reply;
  readonly retry?: Partial<RetryPolicy>;
  /** Statuses whose class differs from the table, for example `{ 404: 'server' }` or `{ '5xx': 'rejected' }`. */
  readonly verdicts?: Readonly<Record<string, AnswerClass>>;
  /** Deadline of one attempt without its body's share, ms. @default 30_000 */
  readonly timeoutMs?: number;
  /** Added to the deadline per byte: slowest upload worth waiting for, bytes per second. @default 20_000 */
  readonly minBytesPerSecond?: number;
  /** How long the intent is worth anything, ms; then it expires into the dead letters. @default Infinity */
  readonly timeToLiveMs?: number;
  /** How long the server remembers keys, ms: an entry of unknown outcome older than this is held for a person. @default 86_400_000 (a day) */
  readonly keyRetentionMs?: number;
  /** What the lane does when its head dies: go on, or wait for a person. @default 'continue' */
  readonly laneOnDead?: 'continue' | 'hold-lane';
  /** Newest wins among waiting, never sent writes of the same method, URL and subject. @default false */
  readonly coalesce?: boolean;
  /**
   * A write with `If-Match` that waits behind one of ours to the same URL gets the ETag of that one's answer, so that two edits made
   * offline do not conflict with each other. Somebody else's edit in between is a conflict all the same. @default false
   */
  readonly chainEtags?: boolean;
  /** Times in which the target must not be called. @default [] */
  readonly maintenance?: readonly Window[];
  /** Which headers of the answer are kept. @default ['content-type', 'location', 'etag', 'idempotency-replayed'] */
  readonly keepHeaders?: readonly string[];
  /** How much of the answer's body is kept, bytes. @default 16_384 */
  readonly keepBodyBytes?: number;
  /** Statuses beside 401 that mean "other credentials". @default [] */
  readonly authStatuses?: readonly number[];
  /** `accept`: HTML where the request accepts only JSON is a captive portal. `json`: HTML always is. `any`: it never is. @default 'accept' */
  readonly expects?: 'accept' | 'json' | 'any';
  /**
   * What a POST that was redirected within its origin means when no page was asked for: done (the server answers with 303),
   * or dead, since 301 and 302 turn it into a GET without its body and browsers do not tell which it was. Also of any other
   * write that was led to a web page so, as to a sign-in. Forms ask for pages, and an `Accept` that names HTML. @default 'refuse'
   */
  readonly redirects?: 'accept' | 'refuse';
  /** Headers that are not stored: `beforeSend` must supply them. @default ['authorization', 'x-csrf-token', 'x-xsrf-token', 'cookie'] when `beforeSend` is given */
  readonly secretHeaders?: readonly string[];
  /** Sends `Holdfast-Age: <ms>` since the intent was made. @default false */
  readonly sendAge?: boolean;
  /** Many waiting requests in one call, where the server has a door for it: `batchDoor()` of `holdfast/batch`. @default none */
  readonly batch?: BatchDoor;
  readonly title?: (request: RequestFacts) => string;
  readonly meta?: (request: RequestFacts) => Json;
}

export interface KeyOptions {
  /** @default 'Idempotency-Key' */
  readonly header: string;
  /** Quoted as a structured-field string (draft-ietf-httpapi-idempotency-key-header), or bare. @default true */
  readonly quoted: boolean;
  /** @default 'nanoid' */
  readonly kind: 'nanoid' | 'uuid' | 'device-time-sequence';
  /** Other origins that accept the header (it causes a CORS preflight there). @default [] */
  readonly crossOrigin: readonly string[];
}

export interface Limits {
  /** Waiting entries of all subjects together. @default 100_000 */
  readonly entries: number;
  /** Bytes of all bodies that are not delivered. @default 536_870_912 (512 MiB) */
  readonly bytes: number;
  /** One body. @default 104_857_600 (100 MiB) */
  readonly bodyBytes: number;
  /** Waiting entries of one lane. @default Infinity */
  readonly perLane: number;
  /** `refuse`: the caller's write fails as it would have without us. `drop-oldest`: the oldest never-sent one goes to the dead letters. @default 'refuse' */
  readonly onFull: 'refuse' | 'drop-oldest';
  /** Waiting entries of one subject from which on a `pressure` event is raised. @default 1_000 */
  readonly pressureAt: number;
}

export interface Keep {
  /** How long delivered entries (and their answers) stay, ms. @default 3_600_000 (an hour) */
  readonly deliveredMs: number;
  /** How many delivered entries stay at most. @default 200 */
  readonly deliveredMax: number;
  /** How long closed dead letters stay, ms. Open ones stay until somebody acts. @default 604_800_000 (a week) */
  readonly closedMs: number;
}

export interface OutboxConfig extends Hooks {
  /** One origin can have several. @default 'outbox' */
  readonly name?: string;
  readonly routes: readonly Route[];
  readonly key?: Partial<KeyOptions>;
  readonly limits?: Partial<Limits>;
  readonly keep?: Partial<Keep>;
  readonly retry?: Partial<RetryPolicy>;
  /**
   * Large bodies of low priority wait while the browser says that the connection is metered or that data is to be saved. A person's
   * `flush` with `ignoreBackoff` sends them all the same. Only Chromium says it. @default nothing waits
   */
  readonly metered?: Partial<Metered>;
  /** Requests at the same time per origin. @default 3 */
  readonly concurrency?: number;
  /** @default 'strict' */
  readonly durability?: 'strict' | 'relaxed';
  /** Who is signed in: an opaque id. Without it, entries belong to nobody in particular. */
  readonly subject?: () => string | null | Promise<string | null>;
  /** Seals headers and bodies at rest with AES-GCM by a non-extractable key per subject. @default false */
  readonly encrypt?: boolean;
  /** @default a sink that drops everything */
  readonly log?: LogSink;
  /** @default 'info' */
  readonly logLevel?: 'info' | 'debug';
}

/** Per-call options of `outbox.fetch` and `outbox.add`; they win over the route's. */
export interface CallOptions {
  readonly lane?: string | null;
  readonly priority?: number;
  readonly title?: string;
  readonly meta?: Json;
  readonly expiresInMs?: number;
  /** Epoch ms. */
  readonly notBefore?: number;
  readonly key?: string;
  readonly coalesce?: boolean;
  readonly supersede?: { readonly key: string; readonly mode: 'keep-latest' | 'keep-first' };
  readonly dependsOn?: readonly string[];
  readonly subject?: string;
  /** Never kept: fails as `fetch` does. */
  readonly onlyLive?: boolean;
}

export const defaultKey: KeyOptions = { header: 'Idempotency-Key', quoted: true, kind: 'nanoid', crossOrigin: [] };

export const defaultLimits: Limits = {
  entries: 100_000,
  bytes: 512 * 1024 * 1024,
  bodyBytes: 100 * 1024 * 1024,
  perLane: Infinity,
  onFull: 'refuse',
  pressureAt: 1_000,
};

export const defaultKeep: Keep = { deliveredMs: 3_600_000, deliveredMax: 200, closedMs: 604_800_000 };

/** The row's own fields that call options and routes decide. */
export type EntryIntent = Pick<Entry, 'lane' | 'priority' | 'route' | 'subject'>;
