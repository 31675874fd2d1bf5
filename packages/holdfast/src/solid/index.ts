/**
 * The `holdfast/solid` door. Each takes the outbox, or null where there is none: on a server, or before it is opened.
 */
import { createEffect, createMemo, createSignal, onCleanup, sharedConfig, type Accessor } from 'solid-js';
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

/** While a page takes over the server's HTML, the first drawing is the server's. */
function follow<T>(source: Accessor<Followed<T>>): Accessor<T> {
  const first = source();
  const [value, set] = createSignal<T>(sharedConfig.context ? first.initial : first.getSnapshot());
  createEffect(() => {
    const followed = source();
    const look = (): void => void set(() => followed.getSnapshot());
    onCleanup(followed.subscribe(look));
    look();
  });
  return value;
}

/** The whole outbox, live: counts, a window of entries, status. */
export function useOutbox(outbox: Outbox | null): Accessor<OutboxSnapshot> {
  const followed = followOutbox(outbox);
  return follow(() => followed);
}

/** One entry, live; `undefined` until looked up (or without an id), `null` when there is none. */
export function useEntry(outbox: Outbox | null, id: Accessor<string | null | undefined>): Accessor<EntrySeen> {
  return follow(createMemo(() => followEntry(outbox, id())));
}

/** Submits through the outbox, and shows what is on its way until the server has confirmed it and the app has refetched. */
export function useSubmit<Meta = Json>(
  outbox: Outbox | null,
  { route, onConfirmed }: SubmitOptions = {},
): { readonly [Part in keyof Submissions<Meta>]: Accessor<Submissions<Meta>[Part]> } & SubmitActs<Meta> {
  const followed = followSubmissions<Meta>(outbox, route, onConfirmed);
  const { submit, dismiss } = followed;
  const now = follow(() => followed);
  return { submissions: () => now().submissions, latest: () => now().latest, submit, dismiss };
}
