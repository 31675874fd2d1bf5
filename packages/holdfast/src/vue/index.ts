/**
 * The `holdfast/vue` door. Every composable takes the outbox, or null where there is none: on a server, or before it is opened.
 */
import {
  computed,
  getCurrentInstance,
  onMounted,
  shallowReadonly,
  shallowRef,
  toValue,
  watch,
  type ComputedRef,
  type MaybeRefOrGetter,
  type ShallowRef,
} from 'vue';
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

/** Listens from mounting on, so that the first drawing is the server's; in a bare effect scope at once. */
function useFollowed<T>(source: () => Followed<T>): Readonly<ShallowRef<T>> {
  const value = shallowRef(source().initial);
  const listen = (): void => {
    watch(
      source,
      (followed, _before, onCleanup) => {
        const look = (): void => void (value.value = followed.getSnapshot());
        onCleanup(followed.subscribe(look));
        look();
      },
      { immediate: true },
    );
  };
  if (getCurrentInstance()) onMounted(listen);
  else listen();
  return shallowReadonly(value);
}

/** The whole outbox, live: counts, a window of entries, status. */
export function useOutbox(outbox: Outbox | null): Readonly<ShallowRef<OutboxSnapshot>> {
  const followed = followOutbox(outbox);
  return useFollowed(() => followed);
}

/** One entry, live; `undefined` until looked up (or without an id), `null` when there is none. */
export function useEntry(
  outbox: Outbox | null,
  id: MaybeRefOrGetter<string | null | undefined>,
): Readonly<ShallowRef<EntrySeen>> {
  const followed = computed(() => followEntry(outbox, toValue(id)));
  return useFollowed(() => followed.value);
}

/** Submits through the outbox, and shows what is on its way until the server has confirmed it and the app has refetched. */
export function useSubmit<Meta = Json>(
  outbox: Outbox | null,
  { route, onConfirmed }: SubmitOptions = {},
): { readonly [Part in keyof Submissions<Meta>]: ComputedRef<Submissions<Meta>[Part]> } & SubmitActs<Meta> {
  const followed = followSubmissions<Meta>(outbox, route, onConfirmed);
  const { submit, dismiss } = followed;
  const now = useFollowed(() => followed);
  return {
    submissions: computed(() => now.value.submissions),
    latest: computed(() => now.value.latest),
    submit,
    dismiss,
  };
}
