import type { Answer } from '../answer';
import { HoldfastServerError } from '../errors';
import { sight } from '../record';
import type { Claim, ClaimAsk, Sighting, Store, StoreStats } from '../store';
import { preparing } from './prepared';
import { postgresSchema, postgresStatements } from './postgres-statements';
import { answerColumns, columns, isTableName, recordOf } from './sql-row';
import type { SqlRow } from './sql-row';

/** What we use of a `pg` client; PGlite has it too. */
export interface PgQueryable {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** What we use of a `pg` pool. `connect` is needed by `withIdempotency` only. */
export interface PgPool extends PgQueryable {
  connect?(): Promise<PgQueryable & { release(error?: Error | boolean): void }>;
}

export interface PostgresStoreOptions {
  readonly pool: PgPool;
  /** With a schema, if need be. @default 'holdfast_keys' */
  readonly table?: string;
  /**
   * Whether statements are prepared once per connection, which saves the server planning them. Where a pooler in between
   * cannot keep them (PgBouncer before 1.21), the store sees it and goes on without.
   *
   * @default true with a `pg` pool
   */
  readonly prepare?: boolean;
  /** Whether the first call creates the table and its indexes if they are not there. @default true */
  readonly createTable?: boolean;
  /** Epoch milliseconds. @default the database's own clock, so that all machines agree */
  readonly clock?: () => number;
}

/** A PostgreSQL store, and what a transaction of the app's own needs of it. */
export interface PostgresStore extends Store {
  readonly pool: PgPool;
  /** Locks the claim's row within the transaction `tx` runs in. False: another run owns the key; roll back. */
  hold(tx: PgQueryable, claim: ClaimAsk): Promise<boolean>;
  /** Writes the answer within the transaction `tx` runs in. False: another run owns the key; roll back. */
  finishIn(tx: PgQueryable, claim: ClaimAsk, answer: Answer): Promise<boolean>;
}

/** @throws HoldfastServerError `bad-option` if the table's name is not one */
export function postgresStore(options: PostgresStoreOptions): PostgresStore {
  const { pool, table = 'holdfast_keys', createTable = true, clock } = options;
  if (!isTableName(table)) throw new HoldfastServerError('bad-option', `"${table}" is no table name`);
  const statements = postgresStatements(table, columns);
  const send = preparing(pool, options.prepare ?? typeof pool.connect === 'function');
  let ready: Promise<void> | undefined;
  let isReady = !createTable;

  async function query(text: string, values: unknown[]): Promise<unknown[]> {
    if (!isReady) {
      ready ??= createIn(pool, table);
      await ready.catch((error: unknown) => {
        ready = undefined;
        throw error;
      });
      isReady = true;
    }
    return (await send(text, [clock?.() ?? null, ...values])).rows;
  }

  const some = async (text: string, values: unknown[]): Promise<boolean> => (await query(text, values)).length > 0;

  /**
   * Nearly every key is new: then one short statement is all. One that also reads what is there costs the database half as
   * much again, so only those who meet a record ask for it.
   */
  async function claim(ask: ClaimAsk): Promise<Claim> {
    const { id, fingerprint, owner, leaseMs, retentionMs, tombstoneMs } = ask;
    const values = [id, fingerprint, owner, leaseMs, retentionMs, tombstoneMs];
    for (;;) {
      if (await some(statements.claim, values)) return { kind: 'claimed', runs: 1 };
      const seen = await look(id);
      if (seen.kind !== 'absent') return seen;
      await query(statements.forgetOne, [id]);
    }
  }

  async function look(id: string): Promise<Sighting> {
    const [row] = (await query(statements.read, [id])) as [MomentRow];
    return sightOf(row);
  }

  function finishValues(ask: ClaimAsk, answer: Answer): unknown[] {
    return [ask.id, ask.owner, ask.retentionMs, ask.tombstoneMs, ...answerColumns(answer)];
  }

  return {
    pool,
    claim,
    async takeOver(ask, previousOwner) {
      const { id, fingerprint, owner, leaseMs, retentionMs, tombstoneMs } = ask;
      const values = [id, previousOwner, owner, leaseMs, retentionMs, tombstoneMs, fingerprint];
      const [taken] = (await query(statements.takeOver, values)) as [{ runs: number | string }?];
      return taken ? { kind: 'claimed', runs: Number(taken.runs) } : claim(ask);
    },
    async renew(id, owner, leaseMs) {
      if (await some(statements.renew, [id, owner, leaseMs])) return true;
      // The row may be locked by this owner's own transaction, which holds the key better than any lease.
      const [row] = (await query(statements.read, [id])) as [MomentRow];
      return row.owner === owner && row.answered_at === null && Number(row.expires_at) > Number(row.now);
    },
    finish: (ask, answer) => some(statements.finish, finishValues(ask, answer)),
    release: (id, owner) => some(statements.release, [id, owner]),
    look,
    async sweep(limit) {
      const forgotten = (await query(statements.forget, [limit])).length;
      return forgotten >= limit ? forgotten : forgotten + (await query(statements.strip, [limit - forgotten])).length;
    },
    async stats() {
      const [row] = (await query(statements.stats, [])) as [Record<keyof StoreStats, number | string>];
      const { running, unknown, done, gone } = row;
      return { running: Number(running), unknown: Number(unknown), done: Number(done), gone: Number(gone) };
    },
    close: () => Promise.resolve(),
    async hold(tx, ask) {
      return (await tx.query(statements.hold, [ask.id, ask.owner])).rows.length > 0;
    },
    async finishIn(tx, ask, answer) {
      const values = [clock?.() ?? null, ...finishValues(ask, answer)];
      return (await tx.query(statements.finish, values)).rows.length > 0;
    },
  };
}

/** A record and the moment it was read at; all of the record's columns are null if there is none. */
type MomentRow = { readonly now: number | string } & (SqlRow | { readonly [Column in keyof SqlRow]: null });

function sightOf(row: MomentRow): Sighting {
  return sight(row.owner === null ? undefined : recordOf(row), Number(row.now));
}

/** Two processes that create one table at the same time get in each other's way; the second try finds it made. */
async function createIn(pool: PgPool, table: string): Promise<void> {
  for (const statement of postgresSchema(table)) {
    await pool.query(statement).catch(() => pool.query(statement));
  }
}
