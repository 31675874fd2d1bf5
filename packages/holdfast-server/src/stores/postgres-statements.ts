/** The table and its indexes, one statement each: for the store's own set-up, or for an app's migrations. */
export function postgresSchema(table = 'holdfast_keys'): string[] {
  const index = table.replace('.', '_');
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (
      id text PRIMARY KEY,
      fingerprint text NOT NULL,
      owner text NOT NULL,
      runs integer NOT NULL,
      lease_until bigint NOT NULL,
      expires_at bigint NOT NULL,
      forget_at bigint NOT NULL,
      answered_at bigint,
      status smallint,
      headers text,
      body bytea,
      body_kept smallint
    )`,
    `CREATE INDEX IF NOT EXISTS ${index}_answered ON ${table} (expires_at) WHERE answered_at IS NOT NULL`,
    `CREATE INDEX IF NOT EXISTS ${index}_forget ON ${table} (forget_at)`,
  ];
}

/** `$1` is the caller's clock, or null for the database's: many machines then agree on when a lease is over. */
const moment = `WITH moment AS (
  SELECT COALESCE($1::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) AS now
)`;

/**
 * No statement here waits for a row that a `withIdempotency` transaction has locked, except `finish` and `release`,
 * which only its owner sends. So a long transaction makes others see "in progress" and not hang.
 */
export function postgresStatements(table: string, columns: string) {
  const cleared = 'answered_at = NULL, status = NULL, headers = NULL, body = NULL, body_kept = NULL';
  /** `$2` id, `$3` owner. */
  const owned = 'k.id = $2 AND k.owner = $3 AND k.answered_at IS NULL AND k.expires_at > moment.now';
  return {
    /** Inserts, and answers nothing if there is a row already: it is read then, by a statement of its own. */
    claim: `${moment} INSERT INTO ${table} (id, fingerprint, owner, runs, lease_until, expires_at, forget_at)
      SELECT $2, $3, $4, 1, now + $5::bigint, now + $6::bigint, now + $6::bigint + $7::bigint FROM moment
      ON CONFLICT (id) DO NOTHING RETURNING runs`,
    read: `${moment} SELECT moment.now, ${columns} FROM moment LEFT JOIN ${table} AS k ON k.id = $2`,
    forgetOne: `${moment} DELETE FROM ${table} AS k USING moment WHERE k.id = $2 AND k.forget_at <= moment.now`,
    takeOver: `${moment} UPDATE ${table} AS k SET
        owner = $4, runs = k.runs + 1, lease_until = now + $5::bigint,
        expires_at = now + $6::bigint, forget_at = now + $6::bigint + $7::bigint
      FROM moment WHERE k.id IN (
        SELECT k.id FROM ${table} AS k, moment
        WHERE ${owned} AND k.lease_until <= moment.now AND k.fingerprint = $8
        FOR UPDATE OF k SKIP LOCKED
      ) RETURNING k.runs`,
    renew: `${moment} UPDATE ${table} AS k SET lease_until = now + $4::bigint
      FROM moment WHERE k.id IN (
        SELECT k.id FROM ${table} AS k, moment WHERE ${owned} FOR UPDATE OF k SKIP LOCKED
      ) RETURNING k.id`,
    finish: `${moment} UPDATE ${table} AS k SET
        expires_at = now + $4::bigint, forget_at = now + $4::bigint + $5::bigint, answered_at = now,
        status = $6, headers = $7, body = $8, body_kept = $9
      FROM moment WHERE ${owned} RETURNING k.id`,
    release: `${moment} DELETE FROM ${table} AS k USING moment WHERE ${owned} RETURNING k.id`,
    /** Locks the row until the transaction ends, so that nobody takes it over meanwhile. */
    hold: `SELECT id FROM ${table} WHERE id = $1 AND owner = $2 AND answered_at IS NULL FOR UPDATE`,
    strip: `${moment} UPDATE ${table} SET ${cleared} WHERE id IN (
        SELECT k.id FROM ${table} AS k, moment
        WHERE k.answered_at IS NOT NULL AND k.expires_at <= moment.now LIMIT $2 FOR UPDATE OF k SKIP LOCKED
      ) RETURNING id`,
    forget: `${moment} DELETE FROM ${table} WHERE id IN (
        SELECT k.id FROM ${table} AS k, moment
        WHERE k.forget_at <= moment.now LIMIT $2 FOR UPDATE OF k SKIP LOCKED
      ) RETURNING id`,
    stats: `${moment} SELECT
        count(*) FILTER (WHERE expires_at > now AND answered_at IS NULL AND lease_until > now) AS running,
        count(*) FILTER (WHERE expires_at > now AND answered_at IS NULL AND lease_until <= now) AS unknown,
        count(*) FILTER (WHERE expires_at > now AND answered_at IS NOT NULL) AS done,
        count(*) FILTER (WHERE expires_at <= now AND forget_at > now) AS gone
      FROM ${table}, moment`,
  };
}
