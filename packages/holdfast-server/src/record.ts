import type { Answer } from './answer';
import type { Claim, ClaimAsk, Sighting } from './store';

/** One key's life: `running → done → gone`, or `running → (absent)` when its handler left no answer to keep. */
export interface StoredRecord {
  readonly fingerprint: string;
  readonly owner: string;
  readonly runs: number;
  readonly leaseUntil: number;
  /** When the answer, or a claim that never got one, stops being kept. */
  readonly expiresAt: number;
  /** When the key itself is forgotten. */
  readonly forgetAt: number;
  readonly answered?: { readonly answer: Answer; readonly answeredAt: number };
}

/** What a record amounts to at a moment. */
export function sight(record: StoredRecord | undefined, now: number): Sighting {
  if (!record || record.forgetAt <= now) return { kind: 'absent' };
  const { fingerprint, owner, answered } = record;
  if (record.expiresAt <= now) return { kind: 'gone' };
  if (answered) return { kind: 'done', fingerprint, ...answered };
  if (record.leaseUntil <= now) return { kind: 'unknown', fingerprint, owner };
  return { kind: 'running', fingerprint, leftMs: record.leaseUntil - now };
}

/** Claims an absent key; any other is described and left alone. */
export function claimed(record: StoredRecord | undefined, ask: ClaimAsk, now: number): [StoredRecord, Claim] {
  const seen = sight(record, now);
  if (record && seen.kind !== 'absent') return [record, seen];
  return [fresh(ask, 1, now), { kind: 'claimed', runs: 1 }];
}

/** Claims a record whose lease ran out, if it is still the one its taker looked at. */
export function takenOver(
  record: StoredRecord | undefined,
  ask: ClaimAsk,
  previousOwner: string,
  now: number,
): [StoredRecord, Claim] {
  const seen = sight(record, now);
  if (!record || seen.kind === 'absent') return claimed(record, ask, now);
  if (seen.kind !== 'unknown' || seen.owner !== previousOwner || seen.fingerprint !== ask.fingerprint) {
    return [record, seen];
  }
  const runs = record.runs + 1;
  return [fresh(ask, runs, now), { kind: 'claimed', runs }];
}

/** Whether `owner` may still write: nobody has answered, taken over or forgotten the record. */
export function mayWrite(record: StoredRecord | undefined, owner: string, now: number): record is StoredRecord {
  return record !== undefined && record.owner === owner && !record.answered && record.expiresAt > now;
}

/** A longer lease for its owner. */
export function renewed(record: StoredRecord, leaseMs: number, now: number): StoredRecord {
  return { ...record, leaseUntil: now + leaseMs };
}

/** The answer, kept from now on for the whole retention. */
export function finished(record: StoredRecord, ask: ClaimAsk, answer: Answer, now: number): StoredRecord {
  return { ...record, ...deadlines(ask, now), answered: { answer, answeredAt: now } };
}

function fresh(ask: ClaimAsk, runs: number, now: number): StoredRecord {
  const { fingerprint, owner, leaseMs } = ask;
  return { fingerprint, owner, runs, leaseUntil: now + leaseMs, ...deadlines(ask, now) };
}

/** How long a record and its key are kept, from now. */
export function deadlines(ask: ClaimAsk, now: number): { expiresAt: number; forgetAt: number } {
  const expiresAt = now + ask.retentionMs;
  return { expiresAt, forgetAt: expiresAt + ask.tombstoneMs };
}
