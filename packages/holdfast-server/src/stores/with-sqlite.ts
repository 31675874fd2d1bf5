import type { Answer } from '../answer';
import { toResponse } from '../answer';
import { HoldfastServerError } from '../errors';
import type { RunContext } from '../run-context';
import { inTransaction } from './group-commit';
import type { SqliteStore } from './sqlite';

/**
 * Writes the app's rows, the key and the answer in one SQLite transaction: after a crash there are all of them or none,
 * so with this a rerun is safe (`onUnknown: 'rerun'`).
 *
 * @param store   the store of this guard, made with the same `database` the work writes to
 * @param context the handler's second argument; without one (no key was sent) the work just runs in a transaction
 * @param work    synchronous, as SQLite transactions are here; what it throws undoes everything
 * @returns       the answer as a `Response`, for the handler to return
 * @throws HoldfastServerError `lease-lost` if another run owns the key; nothing was written, and the caller gets a 409
 */
export function withIdempotency(store: SqliteStore, context: RunContext | undefined, work: () => Answer): Response {
  const answer = inTransaction(store.database, () => {
    if (context && !store.owns(context.claim)) throw lost();
    const made = work();
    if (context && !store.finishNow(context.claim, made)) throw lost();
    return made;
  });
  context?.keptInTransaction(answer);
  return toResponse(answer);
}

function lost(): HoldfastServerError {
  return new HoldfastServerError('lease-lost', 'another run owns the key; nothing was written');
}
