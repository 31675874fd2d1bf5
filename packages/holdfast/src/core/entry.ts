import type { AnswerClass } from './answer-class';

/** Where an entry is in its life. Every change goes through `lifecycle.ts`. */
export type State = 'pending' | 'sending' | 'delivered' | 'dead';

/** What is known about the server's side: nothing was sent, something was sent and no answer came, or it answered. */
export type Outcome = 'never-sent' | 'unknown' | 'answered';

/** Why an entry is in the dead-letter list (or was closed by someone's act). */
export type DeadReason =
  /** The server refused it for good (4xx, 501, 505, a changed method …). */
  | 'rejected'
  /** 409 or 412 that no hook resolved. */
  | 'conflict'
  /** Its budget of attempts for this class of failure is used up. */
  | 'exhausted'
  /** Its own deadline passed. */
  | 'expired'
  /** The server wants other credentials and nobody could give them. */
  | 'auth'
  /** The row or its body cannot be read or verified. */
  | 'unreadable'
  /** It may have been received, and the server no longer remembers the key: a person must look. */
  | 'held'
  /** A person or the app cancelled it. */
  | 'cancelled'
  /** A newer write of the same thing took its place. */
  | 'superseded'
  /** Dropped to make room, by the chosen limit policy. */
  | 'dropped'
  /** A value it needs is not in the answer it waited for. */
  | 'unresolved';

/** Plain data: what survives a structured clone and JSON alike. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A request as it was, in plain values; the body's bytes are apart. */
export interface RequestParts {
  readonly method: string;
  /** Absolute, without fragment. */
  readonly url: string;
  /** In the order they were set. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly mode: string;
  readonly credentials: string;
  readonly cache: string;
  readonly redirect: string;
  readonly referrer: string;
  readonly referrerPolicy: string;
  readonly integrity: string;
}

/** What is known of a body without reading it. */
export interface BodyInfo {
  /** Length in bytes; 0 for an empty body. */
  readonly size: number;
  /** The media type it was made with, `''` when none. */
  readonly type: string;
  /** `none`: null body. `inline`: the bytes are in this row. `apart`: they are in the bodies' own store. */
  readonly kind: 'none' | 'inline' | 'apart';
  /** Present when `kind` is `inline`. */
  readonly bytes?: Uint8Array;
  /** SHA-256 in hex, where it was cheap to take. */
  readonly digest?: string;
  /** The bytes are sealed (headers and body in one); `size` here is that of the body inside. */
  readonly sealed?: { readonly size: number };
}

/** One failed attempt, as people and hooks see it. */
export interface Failure {
  readonly class: AnswerClass;
  /** HTTP status, or 0 when no answer came. */
  readonly status: number;
  /** `type` of the answer's problem document (RFC 9457), when it had one. */
  readonly problem?: string;
  /** For people; its wording differs by engine and may change. */
  readonly message: string;
  /** Epoch ms. */
  readonly at: number;
}

/** One attempt in the history of an entry. */
export interface Attempt extends Failure {
  /** From the first byte to the verdict, in milliseconds. */
  readonly tookMs: number;
  /** Whether it used up budget. */
  readonly counted: boolean;
}

/** The server's last answer, bounded. */
export interface KeptAnswer {
  readonly status: number;
  /** Only the allow-listed ones. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** As text, cut at the route's limit; absent when nothing was kept. */
  readonly body?: string;
  readonly truncated: boolean;
  /** The server marked it as a repeated answer (`Idempotency-Replayed`). */
  readonly replayed: boolean;
  /** Epoch ms. */
  readonly at: number;
}

/** Who may settle an entry that is being sent, and until when. */
export interface Lease {
  /** The context that holds it. */
  readonly owner: string;
  /** Fencing token: grows with every claim in this outbox. */
  readonly token: number;
  /** Epoch ms after which anybody may claim it. */
  readonly until: number;
  /** A live attempt holds it: made outside the drain, so the drain's lock says nothing about it. */
  readonly live?: boolean;
}

/** What the dead-letter list adds to an entry. */
export interface DeadLetter {
  readonly reason: DeadReason;
  /** For people: what happened and what can be done. */
  readonly message: string;
  readonly at: number;
  readonly triage: 'open' | 'claimed' | 'closed';
  readonly assignee?: string;
  readonly claimedAt?: number;
  readonly closedAt?: number;
  readonly resolution?: string;
}

/** One request the outbox is responsible for. Rows of the store are exactly this, plus the keys of `index-keys.ts`. */
export interface Entry {
  /** Version of this row's shape; readers cope with unknown further fields. */
  readonly v: 1;
  /** Store order: the only order. */
  readonly seq: number;
  /** Grows with every change; what `edit` and `cancel` compare. */
  readonly revision: number;
  readonly id: string;
  /** Idempotency key: one per intent, the same on every attempt. */
  readonly key: string;
  readonly route: string;
  /** Scope of order; `null` is unordered. */
  readonly lane: string | null;
  /** Opaque id of whom it is sent for; `''` where the app names nobody. */
  readonly subject: string;
  /** 0 (most urgent) to 7, RFC 9218 section 4.1. */
  readonly priority: number;
  readonly state: State;
  /** Whether it is first in its lane (always true for unordered ones); only such entries are looked at by the scheduler. */
  readonly head: boolean;
  /** Epoch ms of the next attempt. */
  readonly dueAt: number;
  readonly createdAt: number;
  /** Epoch ms; not sent earlier. */
  readonly notBefore?: number;
  /** Epoch ms; not sent later. */
  readonly expiresAt?: number;
  readonly request: RequestParts;
  readonly body: BodyInfo;
  /** Attempts that used up budget since it was created, replayed or the origin recovered. */
  readonly attempts: number;
  /** The counted attempts per class of failure, for budgets. */
  readonly spent: Readonly<Partial<Record<AnswerClass, number>>>;
  /** All attempts ever, counted or not. */
  readonly tries: number;
  readonly outcome: Outcome;
  /** Epoch ms of the first attempt whose outcome is unknown. */
  readonly firstUnknownAt?: number;
  readonly firstFailure?: Failure;
  readonly lastFailure?: Failure;
  /** The latest attempts, oldest first, bounded. */
  readonly history: readonly Attempt[];
  /** The server asked for no attempt before this, epoch ms (`Retry-After`). */
  readonly askedUntil?: number;
  /** Set while its lane is paused: when the scheduler looks at it again, epoch ms. */
  readonly parkedUntil?: number;
  /** The wait before the present due time, ms: the state of decorrelated jitter. */
  readonly lastDelayMs?: number;
  readonly lease?: Lease;
  readonly answer?: KeptAnswer;
  /** When it was delivered or died, epoch ms. */
  readonly finishedAt?: number;
  /** False when the answer could not be read (opaque). */
  readonly verified?: boolean;
  readonly dead?: DeadLetter;
  /**
   * The row as it was found, when it could not be understood (dead, `unreadable`). Such an entry without `finishedAt` has
   * only been read so far; putting it with one puts the row aside.
   */
  readonly raw?: unknown;
  /** A dead head that keeps its place in line until a person decides (`laneOnDead: 'hold-lane'`). */
  readonly holdsLane?: boolean;
  /** A credential lies among its stored headers, because no `beforeSend` hook supplies it fresh. */
  readonly holdsSecrets?: true;
  readonly replays: number;
  /** Its `If-Match` takes the ETag of the one before it in its lane to the same URL (`chainEtags`). */
  readonly chained?: true;
  /** That ETag, once it is known: what goes out instead of the stored `If-Match`. */
  readonly ifMatch?: string;
  /** Its body is large: on a metered connection it may have to wait. */
  readonly bulky?: true;
  /** Title for people, from the app. */
  readonly title?: string;
  /** Plain data of the app: business object id, source, target. */
  readonly meta?: Json;
  /** Ids of entries whose answers it needs. */
  readonly dependsOn?: readonly string[];
  /** Those of `dependsOn` that are not delivered yet; not sent before this is empty. */
  readonly waitsFor?: readonly string[];
  /** Answers of the delivered ones of `dependsOn`, by id: what placeholders are filled from, the same on every attempt. */
  readonly parents?: Readonly<Record<string, KeptAnswer>>;
  /** Ids of entries that wait for this one. */
  readonly children?: readonly string[];
  /** Scope in which a newer write takes this one's place. */
  readonly supersedes?: string;
}
