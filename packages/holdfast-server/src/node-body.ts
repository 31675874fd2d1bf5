import type { IncomingMessage } from 'node:http';
import { HoldfastServerError } from './errors';

/** A request that may have been through a body parser. */
export type ParsedMessage = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown };

/** A body, and the type and coding to read it by where they are no longer those of the headers. */
export interface FoundBody {
  readonly bytes: Uint8Array | undefined;
  readonly headers: Readonly<Record<string, string | null>>;
}

/**
 * The body of a request wherever it is: still to come (it is then read and put back for whoever comes after), kept as
 * `rawBody`, or parsed. What was parsed counts by its value, written as JSON.
 *
 * @throws HoldfastServerError `bad-option` if somebody has read it and left nothing
 */
export async function findBody(message: ParsedMessage, limitBytes: number): Promise<FoundBody> {
  const { rawBody, body } = message;
  const within = (bytes: Uint8Array): Uint8Array | undefined => (bytes.byteLength > limitBytes ? undefined : bytes);
  if (rawBody instanceof Uint8Array) return { bytes: within(rawBody), headers: {} };
  const decoded = { 'content-encoding': null };
  if (body instanceof Uint8Array) return { bytes: within(body), headers: decoded };
  if (typeof body === 'string') return { bytes: within(Buffer.from(body)), headers: decoded };
  if (body !== undefined && body !== null && message.readableEnded) {
    const headers = { ...decoded, 'content-type': 'application/json' };
    return { bytes: within(Buffer.from(JSON.stringify(body))), headers };
  }
  if (!message.readableEnded) return { bytes: await readAndPutBack(message, limitBytes), headers: {} };
  if (!hasBody(message)) return { bytes: new Uint8Array(), headers: {} };
  throw new HoldfastServerError(
    'bad-option',
    'the body was read before the idempotency middleware and left nothing: put it before that parser, or keep rawBody',
  );
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * The body, if all of it is there already. A small one comes in one piece with its head, and Node has read it by the time
 * the code that heard of the head has waited once, for anything. It then takes no listeners. That the message is complete
 * Node says a turn later still; the bytes that were promised are all there before.
 */
export function bodyAtHand(message: IncomingMessage): Uint8Array | undefined {
  const { 'content-length': length, 'transfer-encoding': coding } = message.headers;
  if (coding !== undefined || message.readableLength === 0 || message.readableLength !== Number(length))
    return undefined;
  return message.read() as Buffer;
}

/**
 * Reads a stream to its last byte without letting it end, and puts everything back, so that the parser after us finds it
 * as if nobody had been there.
 */
export async function readAndPutBack(message: IncomingMessage, limitBytes: number): Promise<Uint8Array | undefined> {
  const declared = Number(message.headers['content-length'] ?? 0);
  if (declared > limitBytes) return undefined;
  await Promise.resolve();
  const atHand = bodyAtHand(message);
  if (atHand) message.unshift(atHand);
  return atHand ?? readAsItComes(message, limitBytes);
}

function readAsItComes(message: IncomingMessage, limitBytes: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;

    function finish(result: Uint8Array | undefined): void {
      message.off('readable', read);
      message.off('end', over);
      message.off('error', reject);
      message.off('close', hungUp);
      resolve(result);
    }

    function read(): void {
      for (let chunk = message.read() as Buffer | null; chunk !== null; chunk = message.read() as Buffer | null) {
        chunks.push(chunk);
        size += chunk.byteLength;
        if (size > limitBytes) return finish(undefined);
      }
      if (!message.complete) return;
      // Still in the tick in which the last byte was read: the stream does not end while something is in it.
      const bytes = Buffer.concat(chunks, size);
      if (size > 0) message.unshift(bytes);
      finish(bytes);
    }

    /** Only a stream with nothing in it ends under our hands. */
    function over(): void {
      finish(Buffer.concat(chunks, size));
    }

    function hungUp(): void {
      reject(new Error('the caller hung up before the body was complete'));
    }

    message.on('readable', read);
    message.on('end', over);
    message.on('error', reject);
    message.on('close', hungUp);
    if (message.complete && message.readableLength === 0 && !hasBody(message)) finish(new Uint8Array());
  });
}
