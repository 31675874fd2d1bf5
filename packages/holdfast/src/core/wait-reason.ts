/**
 * Why a pending entry is not being sent now. Derived from the entry and the gates each time it is asked, never stored.
 * `until` is epoch ms, null when no moment is known.
 */
export interface WaitReason {
  readonly kind:
    | 'due-now'
    | 'due-later'
    | 'not-before'
    | 'behind-lane'
    | 'waits-for'
    | 'clock-in-doubt'
    | 'paused'
    | 'maintenance'
    | 'metered'
    | 'origin-paused'
    | 'breaker-open'
    | 'offline'
    | 'sign-in'
    | 'other-subject';
  readonly until: number | null;
  /** More for people: the pause's reason, the ids it waits for. */
  readonly detail?: string;
}
