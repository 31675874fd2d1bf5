import type { Effect, LedgerLine } from '../wire';
import { many, run, type Database } from './database';

/** Who asked for an effect, and how. */
export type Deed = Pick<LedgerLine, 'key' | 'method' | 'path' | 'user' | 'at'>;

/** Writes an effect down. Only to be called inside the transaction that has the effect, so that both exist or neither. */
export function record(db: Database, deed: Deed, effect: Effect, target: string): void {
  run(
    db,
    'INSERT INTO ledger (key, method, path, effect, target, user_id, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    deed.key,
    deed.method,
    deed.path,
    effect,
    target,
    deed.user,
    deed.at,
  );
}

const columns = 'seq, key, method, path, effect, target, user_id AS user, at';

/** All effects, oldest first, or those after `after`. */
export function ledger(db: Database, after = 0): LedgerLine[] {
  return many<LedgerLine>(db, `SELECT ${columns} FROM ledger WHERE seq > ? ORDER BY seq`, after).map(plain);
}

/** Without what the driver adds to a row. */
function plain({ seq, key, method, path, effect, target, user, at }: LedgerLine): LedgerLine {
  return { seq, key, method, path, effect, target, user, at };
}
