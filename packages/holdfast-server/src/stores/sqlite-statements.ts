/** Opens the table and its two indexes. Both are partial or narrow: a sweep touches only what it changes. */
export function sqliteSchema(table: string): string {
  const index = table.replace('.', '_');
  return `
    CREATE TABLE IF NOT EXISTS ${table} (
      id TEXT PRIMARY KEY NOT NULL,
      fingerprint TEXT NOT NULL,
      owner TEXT NOT NULL,
      runs INTEGER NOT NULL,
      lease_until INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      forget_at INTEGER NOT NULL,
      answered_at INTEGER,
      status INTEGER,
      headers TEXT,
      body BLOB,
      body_kept INTEGER
    );
    CREATE INDEX IF NOT EXISTS ${index}_answered ON ${table} (expires_at) WHERE answered_at IS NOT NULL;
    CREATE INDEX IF NOT EXISTS ${index}_forget ON ${table} (forget_at);
  `;
}

/** A live claim of the owner: `?` id, `?` owner, `?` now. */
const owned = 'id = ? AND owner = ? AND answered_at IS NULL AND expires_at > ?';

export function sqliteStatements(table: string, columns: string) {
  return {
    claim: `
      INSERT INTO ${table} (id, fingerprint, owner, runs, lease_until, expires_at, forget_at)
      VALUES (?, ?, ?, 1, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET
        fingerprint = excluded.fingerprint, owner = excluded.owner, runs = 1, lease_until = excluded.lease_until,
        expires_at = excluded.expires_at, forget_at = excluded.forget_at,
        answered_at = NULL, status = NULL, headers = NULL, body = NULL, body_kept = NULL
      WHERE forget_at <= ?`,
    takeOver: `
      UPDATE ${table} SET owner = ?, runs = runs + 1, lease_until = ?, expires_at = ?, forget_at = ?
      WHERE ${owned} AND lease_until <= ? AND fingerprint = ?`,
    read: `SELECT ${columns} FROM ${table} WHERE id = ?`,
    renew: `UPDATE ${table} SET lease_until = ? WHERE ${owned}`,
    finish: `
      UPDATE ${table} SET
        expires_at = ?, forget_at = ?, answered_at = ?, status = ?, headers = ?, body = ?, body_kept = ?
      WHERE ${owned}`,
    release: `DELETE FROM ${table} WHERE ${owned}`,
    strip: `
      UPDATE ${table} SET answered_at = NULL, status = NULL, headers = NULL, body = NULL, body_kept = NULL
      WHERE id IN (SELECT id FROM ${table} WHERE answered_at IS NOT NULL AND expires_at <= ? LIMIT ?)`,
    forget: `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE forget_at <= ? LIMIT ?)`,
    stats: `
      SELECT
        COALESCE(SUM(expires_at > ?1 AND answered_at IS NULL AND lease_until > ?1), 0) AS running,
        COALESCE(SUM(expires_at > ?1 AND answered_at IS NULL AND lease_until <= ?1), 0) AS unknown,
        COALESCE(SUM(expires_at > ?1 AND answered_at IS NOT NULL), 0) AS done,
        COALESCE(SUM(expires_at <= ?1 AND forget_at > ?1), 0) AS gone
      FROM ${table}`,
  };
}
