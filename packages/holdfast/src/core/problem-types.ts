/**
 * Problem types (RFC 9457) by which `holdfast-server` says what is wrong with a key. Both halves keep these strings without
 * importing each other; `docs/wire.md` is the treaty.
 */
export const problemTypes = {
  /** 409: the same key is being worked on now; ask again soon. */
  inProgress: 'https://holdfast.dev/problems/in-progress',
  /** 422: the key was used for another payload. */
  keyReused: 'https://holdfast.dev/problems/key-reused',
  /** 400: this endpoint wants a key. */
  keyMissing: 'https://holdfast.dev/problems/key-missing',
  /** 400: the key field is malformed. */
  keyMalformed: 'https://holdfast.dev/problems/key-malformed',
  /** 503: the key store is down and the handler did not run. */
  storeUnavailable: 'https://holdfast.dev/problems/store-unavailable',
  /** The key was known once and is forgotten: the request may have been carried out. */
  keyExpired: 'https://holdfast.dev/problems/key-expired',
} as const;
