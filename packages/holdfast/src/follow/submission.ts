import type { Json } from '../core/entry';
import type { EntryView } from '../core/snapshot';

/** Where a submission is, in the words people see. */
export type SubmissionState =
  /** Under way to the server, live or from the outbox. */
  | 'sending'
  /** Kept on this device; it will be sent. */
  | 'saved'
  /** The server has answered: done. */
  | 'confirmed'
  /** The server's refusal is in `response`; nothing was kept. */
  | 'refused'
  /** Among the dead letters: a person has to look. */
  | 'dead'
  /** Neither sent nor kept; `error` says why. */
  | 'failed';

export interface Submission<Meta = Json> {
  /** The same as long as it is listed: for the `key` of a row. */
  readonly key: string;
  readonly state: SubmissionState;
  /** What the app said it is about (`outbox.meta`, or the route's `meta`): enough to draw it before the server knows of it. */
  readonly meta: Meta | undefined;
  /** Its entry, once kept. */
  readonly entry: EntryView | null;
  /** The server's answer to the live attempt, if that came. */
  readonly response: Response | null;
  readonly error: unknown;
}

/** What an entry's state is called. */
export function stateOf(entry: EntryView): SubmissionState {
  switch (entry.state) {
    case 'pending':
      return 'saved';
    case 'sending':
      return 'sending';
    case 'delivered':
      return 'confirmed';
    case 'dead':
      return 'dead';
  }
}
