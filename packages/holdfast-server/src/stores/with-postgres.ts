import type { Answer } from '../answer';
import { toResponse } from '../answer';
import { HoldfastServerError } from '../errors';
import type { RunContext } from '../run-context';
import type { PgQueryable, PostgresStore } from './postgres';

/**
 * Writes the app's rows, the key and the answer in one PostgreSQL transaction: after a crash there are all of them or
 * none, so with this a rerun is safe (`onUnknown: 'rerun'`).
 *
 * An app whose query builder opens its transactions itself does the same with `store.hold` at the start and
 * `store.finishIn` at the end of one, and `context.keptInTransaction(answer)` after it.
 *
 * @param store   the store of this guard; its pool gives the connection
 * @param context the handler's second argument; without one (no key was sent) the work just runs in a transaction
 * @param work    writes through `tx` only; what it throws undoes everything
 * @returns       the answer as a `Response`, for the handler to return
 * @throws HoldfastServerError `lease-lost` if another run owns the key; nothing was written, and the caller gets a 409
 * @throws HoldfastServerError `bad-option` if the pool cannot connect (PGlite: use `hold` and `finishIn`)
 */
export async function withIdempotency(
  store: PostgresStore,
  context: RunContext | undefined,
  work: (tx: PgQueryable) => Promise<Answer>,
): Promise<Response> {
  if (!store.pool.connect) throw new HoldfastServerError('bad-option', 'withIdempotency needs a pool with connect()');
  const client = await store.pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    if (context && !(await store.hold(client, context.claim))) throw lost();
    const answer = await work(client);
    if (context && !(await store.finishIn(client, context.claim, answer))) throw lost();
    await client.query('COMMIT');
    context?.keptInTransaction(answer);
    return toResponse(answer);
  } catch (error) {
    await client.query('ROLLBACK').catch((failed: Error) => (broken = failed));
    throw error;
  } finally {
    client.release(broken);
  }
}

function lost(): HoldfastServerError {
  return new HoldfastServerError('lease-lost', 'another run owns the key; nothing was written');
}
