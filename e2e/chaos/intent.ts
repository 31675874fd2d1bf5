/** One write of a page, as its body and the ledger have it. */
export interface Intent {
  /** Unique over the whole run, whatever key it goes under. */
  readonly intent: string;
  /** Null: in no order. */
  readonly lane: string | null;
  /** The server will never take it. */
  readonly poison: boolean;
}

/** How a write was made: plain `fetch` through the worker, the wrapper, `add`; `worker` is a library's own word in the worker. */
export type Door = 'fetch' | 'wrapper' | 'add' | 'worker';

/** What a page was told about one write. It is reported outside of the browser at once, so it survives every kill. */
export interface Told extends Omit<Intent, 'poison'> {
  readonly door: Door;
  /** One load of one page. */
  readonly page: string;
  /** Which write of that page it was. */
  readonly nth: number;
  /** Epoch ms by a clock that no fault touches. */
  readonly begunAt: number;
  readonly toldAt: number;
  /** `queued`: kept on the device. `done`: the server took it. `refused`: it did not. `failed`: the page's fetch was rejected. */
  readonly kind: 'queued' | 'done' | 'refused' | 'failed';
}

/** One line of the ledger: work that was really done, in the order it was done. */
export interface Effect {
  readonly intent: string;
  readonly key: string;
}

/** What the queue still holds at the end. */
export interface Held {
  readonly intent: string;
  readonly state: 'pending' | 'sending' | 'dead';
}
