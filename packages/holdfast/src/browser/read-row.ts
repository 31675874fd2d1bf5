import type { BodyInfo, Entry, RequestParts } from '../core/entry';
import { isMoment, isPairs, isSoundBelow, isSoundBody } from './optional-fields';
import type { Row } from './schema';

const STATES = new Set<unknown>(['pending', 'sending', 'delivered', 'dead']);
const OUTCOMES = new Set<unknown>(['never-sent', 'unknown', 'answered']);
const BODIES = new Set<unknown>(['none', 'inline', 'apart']);

/**
 * A row as an entry. One that cannot be understood becomes a dead letter `unreadable` with the row in `raw`, so that one
 * damaged row neither hides the others nor is lost itself. Nothing is written here: a read changes nothing. As long as
 * nobody put it aside (a `put` of this entry with a `finishedAt`), the row stays as it was.
 */
export function readRow(row: Row): Entry {
  if (!isSound(row)) return salvage(row);
  // `k` is the last member of every row, which keeps this cheap.
  delete (row as { k?: unknown }).k;
  return row;
}

/** Whether everything the code relies on is there. Further fields, and those of a newer version, do no harm. */
function isSound(row: Partial<Row>): boolean {
  return (
    typeof row.id === 'string' &&
    typeof row.key === 'string' &&
    typeof row.route === 'string' &&
    typeof row.subject === 'string' &&
    (row.lane === null || typeof row.lane === 'string') &&
    areNumbers(
      row.v,
      row.seq,
      row.revision,
      row.priority,
      row.dueAt,
      row.createdAt,
      row.attempts,
      row.tries,
      row.replays,
    ) &&
    typeof row.head === 'boolean' &&
    typeof row.spent === 'object' &&
    Array.isArray(row.history) &&
    STATES.has(row.state) &&
    OUTCOMES.has(row.outcome) &&
    isRequest(row.request) &&
    isBody(row.body) &&
    (row.state !== 'dead' || typeof row.dead?.reason === 'string') &&
    isSoundBelow(row)
  );
}

function areNumbers(...values: unknown[]): boolean {
  for (const value of values) if (typeof value !== 'number' || value !== value) return false;
  return true;
}

function isRequest(request: Partial<RequestParts> | undefined): boolean {
  return typeof request?.method === 'string' && typeof request.url === 'string' && Array.isArray(request.headers);
}

function isBody(body: Partial<BodyInfo> | undefined): boolean {
  if (!body || !BODIES.has(body.kind) || typeof body.size !== 'number') return false;
  return body.kind !== 'inline' || ArrayBuffer.isView(body.bytes);
}

function salvage(row: Partial<Row>): Entry {
  const seq = row.seq ?? 0;
  const madeBy =
    typeof row.v === 'number' && row.v > 1 ? 'a newer version; reload the app to use it' : 'nobody we know';
  const message = `This request was stored in a shape that cannot be read (made by ${madeBy}). Its raw content is kept.`;
  const at = isMoment(row.createdAt) ? row.createdAt : 0;
  return {
    v: 1,
    seq,
    revision: numberOr(row.revision, 0),
    id: textOr(row.id, `unreadable-${seq}`),
    key: textOr(row.key, `unreadable-${seq}`),
    route: textOr(row.route, ''),
    lane: null,
    subject: textOr(row.subject, ''),
    priority: numberOr(row.priority, 3),
    state: 'dead',
    head: true,
    dueAt: at,
    createdAt: at,
    request: salvageRequest(row.request),
    body: isBody(row.body) && isSoundBody(row.body) ? row.body! : { size: 0, type: '', kind: 'none' },
    attempts: 0,
    spent: {},
    tries: numberOr(row.tries, 0),
    outcome: OUTCOMES.has(row.outcome) ? row.outcome! : 'unknown',
    history: [],
    dead: { reason: 'unreadable', message, at, triage: 'open' },
    replays: 0,
    raw: row,
  };
}

function salvageRequest(request: Partial<RequestParts> | undefined): RequestParts {
  const plain = { mode: 'cors', credentials: 'same-origin', cache: 'default', redirect: 'follow' };
  return {
    ...plain,
    method: textOr(request?.method, ''),
    url: textOr(request?.url, ''),
    headers: isPairs(request?.headers) ? request.headers : [],
    referrer: '',
    referrerPolicy: '',
    integrity: '',
  };
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value === value ? value : otherwise;
}
