import type { Answer } from '../answer';
import type { StoredRecord } from '../record';

/** A body up to this long is part of the record's value; a longer one has a key of its own and is dropped earlier. */
const shortBytes = 1_024;

/** An answer as Redis keeps it: what `finish` appends to its record, and the body where that has a key of its own. */
export interface AnswerValue {
  readonly value: Buffer;
  readonly longBody: Buffer | undefined;
}

/** Where the body is. */
type Place = 'here' | 'there' | 'none' | 'omitted';

export function answerValue({ status, headers, body, bodyKept }: Answer): AnswerValue {
  const short = body !== null && body.byteLength <= shortBytes;
  const place: Place = !bodyKept ? 'omitted' : body === null ? 'none' : short ? 'here' : 'there';
  const head = Buffer.from(`${status}:${place}:${JSON.stringify(headers)}\n`);
  if (place === 'here') return { value: Buffer.concat([head, body as Uint8Array]), longBody: undefined };
  return { value: head, longBody: place === 'there' ? Buffer.from(body as Uint8Array) : undefined };
}

/** @param longBody reads the body's own key; what it does not find was evicted */
export async function recordOf(value: Buffer, longBody: () => Promise<Buffer | null>): Promise<StoredRecord> {
  const firstEnd = value.indexOf('\n');
  const secondEnd = value.indexOf('\n', firstEnd + 1);
  const [forgetAt, expiresAt, leaseUntil, runs, ...owner] = value.toString('utf8', 0, firstEnd).split(':');
  const record = {
    fingerprint: value.toString('utf8', firstEnd + 1, secondEnd),
    owner: owner.join(':'),
    runs: Number(runs),
    leaseUntil: Number(leaseUntil),
    expiresAt: Number(expiresAt),
    forgetAt: Number(forgetAt),
  };
  if (secondEnd === value.length - 1) return record;
  const headEnd = value.indexOf('\n', secondEnd + 1);
  const head = value.toString('utf8', secondEnd + 1, headEnd);
  const [answeredAt = '', status = '', place] = head.split(':', 3) as [string, string, Place];
  const headers = JSON.parse(head.slice(`${answeredAt}:${status}:${place}:`.length)) as [string, string][];
  const long = place === 'there' ? await longBody() : null;
  const body = place === 'here' ? new Uint8Array(value.subarray(headEnd + 1)) : long && new Uint8Array(long);
  // Better to say that a body is gone than to replay an empty one.
  const bodyKept = place !== 'omitted' && (place !== 'there' || long !== null);
  const answer = { status: Number(status), headers, body, bodyKept };
  return { ...record, answered: { answer, answeredAt: Number(answeredAt) } };
}
