/**
 * The `holdfast/svelte` door. Each gives an object whose `current` is reactive (Svelte 5.7 or later) and which is a store too
 * (`$name`). Each takes the outbox, or null where there is none: on a server, or before it is opened.
 */
import { createSubscriber } from 'svelte/reactivity';
import type { Json } from '../core/entry';
import type { OutboxSnapshot } from '../core/snapshot';
import { followEntry, type EntrySeen } from '../follow/entry';
import type { Followed } from '../follow/followed';
import { followOutbox } from '../follow/outbox';
import { followSubmissions, type SubmitActs, type Submissions, type SubmitOptions } from '../follow/submissions';
import type { Outbox } from '../page/client';

export type { EntrySeen } from '../follow/entry';
export type { Submission, SubmissionState } from '../follow/submission';
export type { SubmitActs, Submissions, SubmitOptions } from '../follow/submissions';

export interface Live<T> {
  /** As it is now; read in a template, an effect or a `$derived` it is followed. */
  readonly current: T;
  /** Svelte's store contract. */
  subscribe(run: (value: T) => void): () => void;
}

function live<T>({ subscribe, getSnapshot }: Followed<T>): Live<T> {
  const touch = createSubscriber((update) => subscribe(update));
  return {
    get current() {
      touch();
      return getSnapshot();
    },
    subscribe(run) {
      const look = (): void => run(getSnapshot());
      look();
      return subscribe(look);
    },
  };
}

/** The whole outbox, live: counts, a window of entries, status. */
export function useOutbox(outbox: Outbox | null): Live<OutboxSnapshot> {
  return live(followOutbox(outbox));
}

/**
 * One entry, live; `undefined` until looked up (or without an id), `null` when there is none. For an id that changes:
 * `const entry = $derived(useEntry(outbox, id))`.
 */
export function useEntry(outbox: Outbox | null, id: string | null | undefined): Live<EntrySeen> {
  return live(followEntry(outbox, id));
}

/** Submits through the outbox, and shows what is on its way until the server has confirmed it and the app has refetched. */
export function useSubmit<Meta = Json>(
  outbox: Outbox | null,
  { route, onConfirmed }: SubmitOptions = {},
): Live<Submissions<Meta>> & SubmitActs<Meta> {
  const followed = followSubmissions<Meta>(outbox, route, onConfirmed);
  // Not spread: that would read `current` once and for all.
  return Object.assign(live(followed), { submit: followed.submit, dismiss: followed.dismiss });
}
