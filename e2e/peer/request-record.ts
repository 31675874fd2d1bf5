import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What a peer saw of one request; this is also the JSON it answers with. */
export interface RequestRecord {
  readonly method: string;
  /** Path and query, as they came. */
  readonly url: string;
  /** Name and value in the order and the spelling of the wire. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bytes of the body, after any transfer coding. */
  readonly lengthBytes: number;
  readonly sha256: string;
  /** The body itself, when it is small enough to be worth the wire. */
  readonly bodyBase64?: string;
}

const echoedBytes = 64 * 1024;

const pairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : []));

/** Reads the request to its end. Rejects when the client goes away in between. */
export async function recordRequest(request: IncomingMessage): Promise<RequestRecord> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: pairs(request.rawHeaders),
    lengthBytes: body.length,
    sha256: createHash('sha256').update(body).digest('hex'),
    ...(body.length <= echoedBytes ? { bodyBase64: body.toString('base64') } : {}),
  };
}
