import type { Answer } from '../answer';
import { deadlines, finished } from '../record';
import type { StoredRecord } from '../record';
import type { ClaimAsk } from '../store';

/**
 * A record as the memory store holds it: an answered one with a short body is a single text.
 *
 * A hundred thousand of them are held at once, and the collector moves and marks each piece of each. As objects they cost a
 * request as much time as all the rest of the guard.
 */
export type Packed = string | StoredRecord;

/** Longer bodies are one large block of memory anyway. */
const shortBytes = 4_096;

/** A record with its answer: `finished` and packed in one, since an object in between is one more for the collector. */
export function pack(record: StoredRecord, ask: ClaimAsk, answer: Answer, now: number): Packed {
  const { status, headers, body, bodyKept } = answer;
  if ((body?.byteLength ?? 0) > shortBytes) return finished(record, ask, answer, now);
  const { fingerprint, owner, runs } = record;
  const { expiresAt, forgetAt } = deadlines(ask, now);
  // One character a byte; a decoder for `latin1` would turn some into others (it means windows-1252).
  const letters = body && String.fromCharCode.apply(null, body as unknown as number[]);
  return `${expiresAt}:${JSON.stringify([forgetAt, now, fingerprint, owner, runs, status, headers, bodyKept, letters])}`;
}

type Fields = [number, number, string, string, number, number, [string, string][], boolean, string | null];

export function unpack(packed: Packed | undefined): StoredRecord | undefined {
  if (typeof packed !== 'string') return packed;
  const fields = JSON.parse(packed.slice(packed.indexOf(':') + 1)) as Fields;
  const [forgetAt, answeredAt, fingerprint, owner, runs, status, headers, bodyKept, letters] = fields;
  const body = letters === null ? null : Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const answer = { status, headers, body, bodyKept };
  const expiresAt = expiryOf(packed);
  return { fingerprint, owner, runs, leaseUntil: 0, expiresAt, forgetAt, answered: { answer, answeredAt } };
}

/** When its answer stops being kept, without unpacking it: a sweep looks at thousands. */
export function expiryOf(packed: Packed): number {
  return typeof packed === 'string' ? Number.parseInt(packed, 10) : packed.expiresAt;
}
