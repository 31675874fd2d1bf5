import type { Jitter } from 'holdfast';
import type { Figures, SeriesPoint } from 'holdfast/testing';

/** The outages one can choose from, in the words of `outages` in `holdfast/testing`. */
export type OutageName = 'restart' | 'overload' | 'reconnect';

/** What a person wants to see simulated. */
export interface Question {
  /** Tells answers to an earlier question from those to this one. */
  readonly id: number;
  readonly outage: OutageName;
  readonly clients: number;
  readonly jitter: Jitter;
}

/** One policy in that outage. */
export interface Answer {
  readonly id: number;
  readonly policy: string;
  /** The one that was chosen, as against those it is compared with. */
  readonly own: boolean;
  /** When the server is back, seconds since the outage began. */
  readonly backAt: number;
  /** Requests a second the server can do when warm. */
  readonly capacity: number;
  readonly series: readonly SeriesPoint[];
  readonly figures: Figures;
}
