import type { ResolvedRoute } from '../core/config';
import type { Entry } from '../core/entry';
import type { OutboxError } from '../core/errors';
import type { CallOptions } from '../core/options';
import type { RequestFacts } from '../core/request-facts';
import type { Stop } from '../ports';
import type { Captured } from './capture';
import type { Context } from './context';
import type { CaughtBy } from './intent';
import type { FetchJournal } from './journal';
import type { Place } from './places';
import type { Recorder } from './recorder';
import type { Turn, Turns } from './turns';

/** What became of a request the app just made. */
export type LiveResult =
  /** The server answered; the platform's Response goes to the page as it is. `othersWait`: a server that answers is news to them. */
  | { readonly kind: 'answered'; readonly response: unknown; readonly othersWait: boolean }
  /** Kept; the page is told so. */
  | { readonly kind: 'queued'; readonly entry: Entry }
  /** Not delivered and not kept: the page's fetch fails as it would have without us, and `error` says why it was not kept. */
  | { readonly kind: 'failed'; readonly message: string; readonly error?: OutboxError };

export interface LiveRequest {
  /** Bodies are read in no particular order, so a promise takes its place in line at once and is waited for there. */
  readonly captured: Captured | Promise<Captured>;
  readonly route: ResolvedRoute;
  readonly facts: RequestFacts;
  readonly call: CallOptions;
  readonly caughtBy?: CaughtBy | undefined;
  /** Resolves when the page has its answer. */
  readonly answered?: Promise<unknown> | undefined;
  /** The place in line of whoever asks, when it has one already. */
  readonly turn?: Promise<Turn> | undefined;
  /** The page's own signal: giving up is not a failure to queue. */
  readonly stop?: Stop | undefined;
}

export interface LiveTools {
  readonly context: Context;
  readonly recorder: Recorder;
  readonly turns: Turns;
  readonly journal: FetchJournal;
}

/** A request that was read whole. */
export interface Caught extends LiveRequest {
  readonly captured: Captured;
  readonly place: Place;
}
