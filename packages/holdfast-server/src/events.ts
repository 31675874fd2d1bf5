/** What the guard tells its sink. `detail` is for people; branch on `name`. */
export interface GuardEvent {
  readonly name: GuardEventName;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The scope's short name; the same for every event of one key. Absent where no key was read. */
  readonly id?: string;
  readonly method?: string;
  readonly target?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly error?: unknown;
}

export type GuardEventName =
  /** The handler is about to run for the first time. */
  | 'run'
  /** The handler is about to run although an earlier run's outcome is unknown. */
  | 'rerun'
  /** A kept answer was sent. */
  | 'replay'
  /** A request was refused: the detail is the problem's code. */
  | 'refuse'
  /** An answer was kept. */
  | 'keep'
  /** An answer was not kept, and the key is free again. */
  | 'release'
  /** A handler took longer than its lease and somebody else owns the key now. */
  | 'lease-lost'
  /** A store call failed. */
  | 'store-error'
  /** So many failed that the store is left alone for a while. */
  | 'store-down'
  /** The store answers again. */
  | 'store-back'
  /** A handler ran without protection, because the store was down and the option said to proceed. */
  | 'unprotected'
  | 'sweep'
  /** Something about the set-up is unsafe: the detail says what and what to do. Told once. */
  | 'warning';

/** Receives every event. What it throws is ignored: a log must not cost an answer. */
export type EventSink = (event: GuardEvent) => void;
