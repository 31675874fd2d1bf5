import { createRequire } from 'node:module';
import type { Answer } from '../answer';
import { HoldfastServerError } from '../errors';
import { sight } from '../record';
import type { Claim, ClaimAsk, Sighting, Store, StoreStats } from '../store';
import { answerColumns, columns, isTableName, recordOf } from './sql-row';
import type { SqlRow } from './sql-row';
import { createGroup } from './group-commit';
import type { SqliteDatabase, SqliteStatement } from './sqlite-database';
import { sqliteSchema, sqliteStatements } from './sqlite-statements';

export interface SqliteStoreOptions {
  /** A file, opened through `libsql` in WAL mode with `synchronous = FULL`: what is kept survives a power cut. */
  readonly path?: string;
  /**
   * The app's own database, used as it is. Needed for `withIdempotency`; and with it a power cut loses an app's row and
   * its key together or not at all.
   */
  readonly database?: SqliteDatabase;
  /** @default 'holdfast_keys' */
  readonly table?: string;
  /** Epoch milliseconds. @default Date.now */
  readonly clock?: () => number;
}

/** A SQLite store, and what `withIdempotency` needs of it. */
export interface SqliteStore extends Store {
  readonly database: SqliteDatabase;
  /** Whether `owner` still holds the claim. */
  owns(claim: ClaimAsk): boolean;
  /** Writes the answer at once, within whatever transaction is open. */
  finishNow(claim: ClaimAsk, answer: Answer): boolean;
}

/**
 * Keeps keys and answers in SQLite, for one machine and any number of processes on it.
 *
 * @throws HoldfastServerError `bad-option` unless exactly one of `path` and `database` is given
 */
export function sqliteStore(options: SqliteStoreOptions): SqliteStore {
  const { path, table = 'holdfast_keys', clock = () => Date.now() } = options;
  if ((path === undefined) === (options.database === undefined)) {
    throw new HoldfastServerError('bad-option', 'sqliteStore needs either a path or a database');
  }
  if (!isTableName(table)) throw new HoldfastServerError('bad-option', `"${table}" is no table name`);
  const database = options.database ?? openFile(path as string);
  database.exec(sqliteSchema(table));
  const texts = sqliteStatements(table, columns);
  const prepared = (name: keyof typeof texts): SqliteStatement => database.prepare(texts[name]);
  const statements = {
    claim: prepared('claim'),
    takeOver: prepared('takeOver'),
    read: prepared('read'),
    renew: prepared('renew'),
    finish: prepared('finish'),
    release: prepared('release'),
    strip: prepared('strip'),
    forget: prepared('forget'),
    stats: prepared('stats'),
  };

  const grouped = createGroup(database);
  const write = (name: keyof typeof statements, ...values: unknown[]): number =>
    statements[name].run(...values).changes;

  function seen(id: string, now: number): Sighting {
    const row = statements.read.get(id) as SqlRow | undefined;
    return sight(row && recordOf(row), now);
  }

  function claimNow(ask: ClaimAsk): Claim {
    const now = clock();
    const expiresAt = now + ask.retentionMs;
    const { id, fingerprint, owner, leaseMs } = ask;
    const times = [now + leaseMs, expiresAt, expiresAt + ask.tombstoneMs, now];
    if (write('claim', id, fingerprint, owner, ...times) > 0) return { kind: 'claimed', runs: 1 };
    const found = seen(id, now);
    if (found.kind === 'absent') throw new Error('a key was neither there nor could it be written');
    return found;
  }

  function takeOverNow(ask: ClaimAsk, previousOwner: string): Claim {
    const now = clock();
    const expiresAt = now + ask.retentionMs;
    const { id, fingerprint, owner, leaseMs } = ask;
    const times = [now + leaseMs, expiresAt, expiresAt + ask.tombstoneMs];
    const taken = write('takeOver', owner, ...times, id, previousOwner, now, now, fingerprint);
    if (taken === 0) return claimNow(ask);
    return { kind: 'claimed', runs: Number((statements.read.get(id) as SqlRow).runs) };
  }

  function finishNow(ask: ClaimAsk, answer: Answer): boolean {
    const now = clock();
    const expiresAt = now + ask.retentionMs;
    const values = [expiresAt, expiresAt + ask.tombstoneMs, now, ...answerColumns(answer), ask.id, ask.owner, now];
    return statements.finish.run(...values).changes > 0;
  }

  return {
    database,
    claim: (ask) => grouped(() => claimNow(ask)),
    takeOver: (ask, previousOwner) => grouped(() => takeOverNow(ask, previousOwner)),
    renew: (id, owner, leaseMs) => grouped(() => write('renew', clock() + leaseMs, id, owner, clock()) > 0),
    finish: (ask, answer) => grouped(() => finishNow(ask, answer)),
    finishNow,
    owns(ask) {
      const row = statements.read.get(ask.id) as SqlRow | undefined;
      return row !== undefined && row.owner === ask.owner && row.answered_at === null;
    },
    release: (id, owner) => grouped(() => write('release', id, owner, clock()) > 0),
    look: async (id) => seen(id, clock()),
    sweep: (limit) =>
      grouped(() => {
        const now = clock();
        const forgotten = write('forget', now, limit);
        return forgotten >= limit ? forgotten : forgotten + write('strip', now, limit - forgotten);
      }),
    async stats() {
      const { running, unknown, done, gone } = statements.stats.get(clock()) as StoreStats;
      return { running, unknown, done, gone };
    },
    async close() {
      if (!options.database) database.close();
    },
  };
}

/** Asked for by name only here, so that an app which brings its own database needs no `libsql`. */
function openFile(path: string): SqliteDatabase {
  const Database = createRequire(import.meta.url)('libsql') as new (path: string) => SqliteDatabase;
  const database = new Database(path);
  database.exec('PRAGMA busy_timeout = 5000');
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  return database;
}
