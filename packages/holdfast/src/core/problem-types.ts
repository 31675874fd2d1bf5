/**
 * Problem types (RFC 9457) by which `holdfast-server` says what is wrong with a key. Both halves keep these strings without
 * importing each other; `docs/wire.md` is the treaty.
 */
export const problemTypes = {
  /** 409: the same key is being worked on now; ask again soon. */
  inProgress: 'urn:holdfast:idempotency:in-progress',
  /** 422: the key was used for another payload. */
  keyReused: 'urn:holdfast:idempotency:key-reused',
  /** 400: this endpoint wants a key. */
  keyMissing: 'urn:holdfast:idempotency:key-missing',
  /** 400: the key field is malformed. */
  keyMalformed: 'urn:holdfast:idempotency:key-malformed',
  /** 503: the key store is down and the handler did not run. */
  storeUnavailable: 'urn:holdfast:idempotency:store-unavailable',
  /** 409: an earlier request with this key died half way; nobody knows whether it took effect. */
  outcomeUnknown: 'urn:holdfast:idempotency:outcome-unknown',
  /** 500: the work was done, then the answer could not be made; this is now the answer. */
  failedAfterCommit: 'urn:holdfast:idempotency:failed-after-commit',
  /** 424, only in a batch: an earlier request of the lane failed, and this one was not begun. */
  notAttempted: 'urn:holdfast:idempotency:not-attempted',
  /** 409: the key was known once and is forgotten: the request may have been carried out. */
  keyExpired: 'urn:holdfast:idempotency:key-expired',
} as const;
