import { log, type Context } from './context';

/** Something failed that is nobody's call to answer: the log and the listeners hear of it, and the queue is looked at again. */
export function reportError(context: Context, error: unknown): void {
  log(context, { event: 'error', message: String(error) });
  context.tell({ type: 'error', code: codeOf(error), message: String(error) });
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'storage-unavailable';
}
