/**
 * The `holdfast/react` door. Every hook takes the outbox, or null where there is none: on a server, or before it is opened.
 */
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
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

const useFollowed = <T>({ subscribe, getSnapshot, initial }: Followed<T>): T =>
  useSyncExternalStore(subscribe, getSnapshot, () => initial);

/** The whole outbox, live: counts, a window of entries, status. */
export function useOutbox(outbox: Outbox | null): OutboxSnapshot {
  return useFollowed(useMemo(() => followOutbox(outbox), [outbox]));
}

/** One entry, live; `undefined` until looked up (or without an id), `null` when there is none. */
export function useEntry(outbox: Outbox | null, id: string | null | undefined): EntrySeen {
  return useFollowed(useMemo(() => followEntry(outbox, id), [outbox, id]));
}

/** Submits through the outbox, and shows what is on its way until the server has confirmed it and the app has refetched. */
export function useSubmit<Meta = Json>(
  outbox: Outbox | null,
  { route, onConfirmed }: SubmitOptions = {},
): Submissions<Meta> & SubmitActs<Meta> {
  const confirmed = useRef(onConfirmed);
  useEffect(() => {
    confirmed.current = onConfirmed;
  });
  const followed = useMemo(() => followSubmissions<Meta>(outbox, route, () => confirmed.current?.()), [outbox, route]);
  return { ...useFollowed(followed), submit: followed.submit, dismiss: followed.dismiss };
}
