/** What the page and the API of the demo say to each other. Types only: the page gets no server code by reading them. */

/** A place on the round. */
export interface Site {
  readonly id: string;
  readonly name: string;
  readonly place: string;
  /** What to look at there. */
  readonly check: string;
}

/** What is known of a photo without its bytes. */
export interface Photo {
  readonly id: string;
  readonly noteId: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** SHA-256 of the bytes, hex; its quoted form is the ETag. */
  readonly digest: string;
  /** When it arrived, epoch ms. */
  readonly createdAt: number;
}

/** A record of the round. */
export interface Note {
  readonly id: string;
  readonly siteId: string;
  readonly author: string;
  readonly text: string;
  /** 1 (stop using it) to 5 (as new). */
  readonly rating: number;
  /** 1 at first, one more with every change; its quoted form is the ETag. */
  readonly version: number;
  /** When the inspector made it, epoch ms: not when it arrived. */
  readonly createdAt: number;
  /** When the server last changed it, epoch ms. */
  readonly updatedAt: number;
  readonly updatedBy: string;
  readonly photos: readonly Photo[];
}

/** What an inspector writes. */
export type NoteDraft = Pick<Note, 'siteId' | 'text' | 'rating' | 'createdAt'>;

export interface User {
  readonly id: string;
  readonly name: string;
}

/** `GET /api/session`. */
export interface Session {
  /** Null: nobody is signed in. */
  readonly user: User | null;
  readonly users: readonly User[];
  /** Nobody is signed in because the server ended the session, not because somebody signed out. */
  readonly ended: boolean;
}

/** How `/api/*` behaves. The shell, `/__portal` and the control doors stay reachable in every mode. */
export type FaultMode =
  /** As it should. */
  | 'ok'
  /** The connection is cut as soon as the request's head has come: as near to "refused" as one port can be. */
  | 'refuse'
  /** The whole request is read, then the connection is reset. Nothing was done. */
  | 'reset-before'
  /** The work is done and committed, then the connection is reset before the answer. */
  | 'reset-after'
  /** Never answered, and nothing is done. */
  | 'hang'
  | '503'
  | '429'
  | '500'
  /** A redirect to a page of somebody else's, which answers 200 with HTML. */
  | 'captive'
  /** The answer comes, but late. */
  | 'slow'
  /** The process kills itself right after the work is committed, before the answer is even made. For tests. */
  | 'crash';

/** `GET /__faults`, and all of `PUT /__faults` but `mode` may be left out. */
export interface Faults {
  readonly mode: FaultMode;
  /** What 503 and 429 say in `Retry-After`, seconds. @default 5 */
  readonly retryAfterSeconds: number;
  /** How late `slow` is, ms. @default 4_000 */
  readonly slowMs: number;
  /** How many more requests are hit before the mode is `ok` again; null: all. @default null */
  readonly times: number | null;
  /** `writes` leaves GET and HEAD alone. @default 'all' */
  readonly only: 'all' | 'writes';
}

export type Effect = 'note-created' | 'note-changed' | 'note-deleted' | 'photo-added' | 'photo-deleted';

/** One effect the API really had, as `GET /__ledger` lists them. */
export interface LedgerLine {
  /** Grows by one with every effect, also across restarts. */
  readonly seq: number;
  /** Idempotency key, decoded; null when the request had none. */
  readonly key: string | null;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly effect: Effect;
  /** Id of the note or photo. */
  readonly target: string;
  readonly user: string;
  /** Epoch ms. */
  readonly at: number;
}
