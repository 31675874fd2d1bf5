import { OutboxError } from '../core/errors';

/** The engine's word for what went wrong. Its text differs by browser and version, the name does not. */
function nameOf(error: unknown): string {
  const { name } = (error ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : '';
}

/**
 * Whether the connection, not the work, is to blame, so that it is worth opening the database again: iOS drops it in the
 * background (`UnknownError`), a closing one refuses (`InvalidStateError`), clearing the site's data aborts what runs.
 */
export function isLostConnection(error: unknown): boolean {
  return ['InvalidStateError', 'UnknownError', 'AbortError', 'TimeoutError'].includes(nameOf(error));
}

/** Whether a row was refused because its id or key is another row's. */
export function isDuplicate(error: unknown): boolean {
  return nameOf(error) === 'ConstraintError';
}

/** Whether this browser will not give this context any storage at all: private modes, blocked site data, no API. */
export function isDenied(error: unknown): boolean {
  const cause = error instanceof OutboxError ? error.cause : error;
  return ['SecurityError', 'InvalidStateError', 'ReferenceError', 'TypeError', 'NotSupportedError'].includes(
    nameOf(cause),
  );
}

/** Whether the error came from IndexedDB rather than from a work that ran in it. */
function isFromStorage(error: unknown): boolean {
  return error instanceof DOMException;
}

/** A failure of the engine as ours; whatever else a work threw is handed on as it is. */
export function asStorageError(error: unknown): unknown {
  if (error instanceof OutboxError || !isFromStorage(error)) return error;
  const detail = `(${nameOf(error)}: ${(error as DOMException).message})`;
  switch (nameOf(error)) {
    case 'QuotaExceededError':
      return new OutboxError('quota-exceeded', `The browser's storage is full; free some and try again. ${detail}`, {
        cause: error,
      });
    case 'DataCloneError':
      return new OutboxError(
        'not-storable',
        `Only plain data can be stored; leave out functions and objects. ${detail}`,
        {
          cause: error,
        },
      );
    case 'TimeoutError':
      return unavailable(`The browser's storage does not answer; try again, or restart the browser. ${detail}`, error);
    default:
      return unavailable(`The browser's storage failed; nothing was changed, try again. ${detail}`, error);
  }
}

export function unavailable(message: string, cause: unknown): OutboxError {
  return new OutboxError('storage-unavailable', message, { cause });
}
