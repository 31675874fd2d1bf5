import { freshClock, type ClockWatch } from './clock';
import { unknownConnectivity, type Connectivity } from './connectivity';

/** How many rows a subject has, and how heavy they are. Kept by every change, because counting rows is slow. */
export interface Counts {
  readonly pending: number;
  readonly sending: number;
  readonly delivered: number;
  readonly dead: number;
  /** Dead ones whose triage is not closed. */
  readonly open: number;
  /** Bytes of bodies that are not delivered. */
  readonly bytes: number;
}

/** The outbox's own ledger, one row, changed in the same transaction as the entries it counts. */
export interface Book {
  readonly nextSeq: number;
  /** Grows with every committed change; a page that sees a gap reads again. */
  readonly revision: number;
  /** The last fencing token given out. */
  readonly token: number;
  readonly subjects: Readonly<Record<string, Counts>>;
  /** Waiting entries per bucket (see `index-keys.ts`); a bucket that is not here is empty. */
  readonly buckets: Readonly<Record<string, number>>;
  /**
   * By lane key: nobody in that line stands before this `seq`. Only for lines into which somebody came back (a replay); for
   * all others whoever leaves the front knows that nobody is before him.
   */
  readonly fronts?: Readonly<Record<string, number>>;
  /**
   * By subject: none of its entries that wait or are being sent has a lower `seq`. A hint for whoever lists them; absent where
   * nobody has looked yet.
   */
  readonly lowest?: Readonly<Record<string, Lowest>>;
  /** Lifetime figures for `stats()`, by subject: nobody learns from them how much others have done. */
  readonly tallies?: Readonly<Record<string, Tally>>;
}

export interface Lowest {
  readonly seq: number;
  /** How many of the subject had ended when it was looked for. */
  readonly ended: number;
}

/** Sums since a subject first made a request. Per route where a route is named. */
export interface Tally {
  readonly accepted: number;
  readonly delivered: number;
  readonly died: number;
  readonly retries: number;
  readonly duplicates: number;
  readonly repeated: number;
  readonly replays: number;
  readonly firstReplayDelivered: number;
  readonly closed: number;
  readonly closeMs: number;
  readonly byRoute: Readonly<
    Record<string, { readonly delivered: number; readonly died: number; readonly retries: number }>
  >;
  readonly byClass: Readonly<Record<string, number>>;
}

/** One origin's health; see `breaker.ts`. */
export interface OriginGate {
  readonly phase: 'closed' | 'open' | 'half-open';
  /** Failures in a row that count against the origin. */
  readonly failures: number;
  /** While `open`: when the probe may go. Epoch ms. */
  readonly probeAt: number;
  /** Concurrency allowed while recovering; 0 when unrestricted. */
  readonly ramp: number;
  /** `Retry-After` of 429/503: nothing goes before this. Epoch ms, 0 for none. */
  readonly pausedUntil: number;
  /** When these two were set last, epoch ms: on a clock that was turned back since they mean nothing. Absent for never. */
  readonly setAt?: number;
  /** Rejections in a row with no answer ever, for the diagnosis "CORS or blocked?". */
  readonly rejections: number;
  /** Epoch ms of the last answer of any kind; 0 for never. */
  readonly answeredAt: number;
}

/** A pause set by a person, the app or a window; `until` is epoch ms, or null for "until resumed". */
export interface Pause {
  readonly until: number | null;
  readonly why?: string;
}

/** Everything that can hold entries back, one row. */
export interface Gates {
  readonly all?: Pause;
  readonly routes: Readonly<Record<string, Pause>>;
  /** By lane key. */
  readonly lanes: Readonly<Record<string, Pause>>;
  readonly origins: Readonly<Record<string, OriginGate>>;
  /** Subjects that wait for sign-in. */
  readonly signIn: Readonly<Record<string, { readonly since: number }>>;
  /** The verdict of `connectivity.ts`. */
  readonly connectivity: Connectivity;
  /** What is remembered of the wall clock, which may be turned. */
  readonly clock: ClockWatch;
}

/** One fetch a worker has caught and not answered yet; see `flow/journal.ts`. */
export interface JournalLine {
  /** Its idempotency key. */
  readonly key: string;
  readonly clientId: string;
  /** The run of the worker that caught it. */
  readonly run: string;
  /** Method, URL, size and a hash: enough to know the same fetch again. */
  readonly print: string;
  /** Whom it must not overtake when it comes back; absent outside of lanes. */
  readonly lane?: string;
  /** When it was caught, epoch ms. */
  readonly at: number;
  /** Which of its run it was. */
  readonly nth?: number;
}

/** Who is signed in, as the app said it last. */
export interface KnownSubject {
  /** Opaque; null: nobody. */
  readonly id: string | null;
  /** Epoch ms. */
  readonly at: number;
}

export const noCounts: Counts = { pending: 0, sending: 0, delivered: 0, dead: 0, open: 0, bytes: 0 };

export const emptyBook: Book = {
  nextSeq: 1,
  revision: 0,
  token: 0,
  subjects: {},
  buckets: {},
};

export const noTally: Tally = {
  accepted: 0,
  delivered: 0,
  died: 0,
  retries: 0,
  duplicates: 0,
  repeated: 0,
  replays: 0,
  firstReplayDelivered: 0,
  closed: 0,
  closeMs: 0,
  byRoute: {},
  byClass: {},
};

export const openGates: Gates = {
  routes: {},
  lanes: {},
  origins: {},
  signIn: {},
  connectivity: unknownConnectivity,
  clock: freshClock,
};
