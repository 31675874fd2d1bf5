import { OutboxError } from '../core/errors';
import type { Context } from './context';
import { log } from './context';

/** How long a hook may take, milliseconds; longer is a hang. */
export const hookDeadlineMs = 10_000;

/**
 * Runs a hook of the app so that it can hurt nothing but its own entry.
 * @throws OutboxError `hook-failed` when it throws or takes longer than 10 s; `cause` has the original
 */
export async function hook<T>(context: Context, name: string, call: () => T | Promise<T>): Promise<T> {
  let stop = (): void => undefined;
  const tooLong = new Promise<never>((_, reject) => {
    stop = context.system.timer(hookDeadlineMs, () =>
      reject(new OutboxError('hook-failed', `${name} did not finish within ${hookDeadlineMs} ms`)),
    );
  });
  try {
    return await Promise.race([Promise.resolve().then(call), tooLong]);
  } catch (cause) {
    log(context, { event: 'hook-failed', message: `${name}: ${String(cause)}` });
    throw cause instanceof OutboxError ? cause : new OutboxError('hook-failed', `${name} threw`, { cause });
  } finally {
    stop();
  }
}
