import type { Answer } from '../answer';
import type { StoredRecord } from '../record';

/** A record as both SQL stores keep it. Numbers may come as text, since PostgreSQL's driver keeps `bigint` exact so. */
export interface SqlRow {
  readonly fingerprint: string;
  readonly owner: string;
  readonly runs: number | string;
  readonly lease_until: number | string;
  readonly expires_at: number | string;
  readonly forget_at: number | string;
  readonly answered_at: number | string | null;
  readonly status: number | string | null;
  readonly headers: string | null;
  readonly body: Uint8Array | null;
  readonly body_kept: number | string | null;
}

/** The row's columns, in the order both stores select them. */
export const columns =
  'fingerprint, owner, runs, lease_until, expires_at, forget_at, answered_at, status, headers, body, body_kept';

/** A row as the record the moves in `record.ts` know. */
export function recordOf(row: SqlRow): StoredRecord {
  const base: StoredRecord = {
    fingerprint: row.fingerprint,
    owner: row.owner,
    runs: Number(row.runs),
    leaseUntil: Number(row.lease_until),
    expiresAt: Number(row.expires_at),
    forgetAt: Number(row.forget_at),
  };
  if (row.answered_at === null || row.status === null) return base;
  const answer: Answer = {
    status: Number(row.status),
    headers: JSON.parse(row.headers ?? '[]') as [string, string][],
    body: row.body === null ? null : new Uint8Array(row.body),
    bodyKept: Number(row.body_kept) === 1,
  };
  return { ...base, answered: { answer, answeredAt: Number(row.answered_at) } };
}

/** An answer's columns: status, headers, body, body_kept. */
export function answerColumns(answer: Answer): [number, string, Uint8Array | null, number] {
  return [answer.status, JSON.stringify(answer.headers), answer.body, answer.bodyKept ? 1 : 0];
}

/** A table's name goes into the text of statements, so it may only be one. */
export function isTableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,62}(\.[A-Za-z_][A-Za-z0-9_]{0,62})?$/.test(name);
}
