/**
 * Every reason Holdfast has to fail. The list is closed and part of the public contract: a code is never reused
 * for another meaning. The message beside it says what to do and may change.
 */
export type OutboxErrorCode =
  /** An option has a value it cannot have; the message names the option and the range. */
  | 'bad-option'
  /** The lifecycle table has no such move, for example replaying an entry that is being sent. */
  | 'illegal-move'
  /** No entry has this id (or it belongs to another subject, which looks the same on purpose). */
  | 'not-found'
  /** The entry changed since it was read; read it again and decide again. */
  | 'changed-meanwhile'
  /** The entry's fate is unknown (an attempt got no answer), so it cannot be cancelled or edited. */
  | 'outcome-unknown'
  /** This request cannot be kept: a stream over the limit, an unreadable file, a value that is not plain data. */
  | 'not-storable'
  /** The outbox is full by its own limits (entries, bytes or lane). */
  | 'full'
  /** The browser's storage is full. */
  | 'quota-exceeded'
  /** Storage cannot be opened or read now. */
  | 'storage-unavailable'
  /** Another tab holds an older version of the database open. */
  | 'storage-blocked'
  /** The stored data was made by a newer, incompatible build. */
  | 'storage-newer'
  /** A stored row cannot be understood; it was put aside with its raw content. */
  | 'unreadable'
  /** An entry with this key exists already, with other content. */
  | 'duplicate-key'
  /** A claim was settled by someone who no longer holds it. */
  | 'lease-lost'
  /** A hook threw, hung or returned nonsense; `cause` has the original. */
  | 'hook-failed'
  /** The app has subjects and nobody is signed in, so there is nobody to keep the request for. */
  | 'no-subject'
  /** No route takes this request, so it was not kept. */
  | 'no-route'
  /** The request waits for an entry that is dead or unknown. */
  | 'dependency-failed'
  /** The entry ended without being delivered (it is in the dead-letter list). */
  | 'dead'
  /** Something is pending, so the act was refused; force it or wait. */
  | 'still-pending'
  /** A message or an import file is malformed or of an unknown version. */
  | 'bad-message'
  /** The outbox was closed. */
  | 'closed';

/**
 * The only class this package throws. Branch on `code`; the message is for people and may change.
 *
 * A structured clone drops `code` and the class, so across the worker boundary an error travels as plain
 * `{ code, message }` (see `messages.ts`).
 */
export class OutboxError extends Error {
  override readonly name = 'OutboxError';
  readonly code: OutboxErrorCode;

  constructor(code: OutboxErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The error itself if it is ours, otherwise ours around it. */
export function asOutboxError(error: unknown, code: OutboxErrorCode, what: string): OutboxError {
  if (error instanceof OutboxError) return error;
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new OutboxError(code, `${what} (${detail})`, { cause: error });
}
