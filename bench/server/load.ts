import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface Load {
  readonly port: number;
  /** Requests on their way at any time; each connection has one. */
  readonly connections: number;
  readonly forMs: number;
  /** Goes on until there were as many answers; a server is only itself once the engine has translated it. @default 0 */
  readonly atLeast?: number;
}

let sent = 0;

/**
 * Sends orders, each under a key of its own, as fast as they are answered, and tells how many were. Written on bare sockets: a
 * client that costs more than the server would measure itself.
 *
 * @throws Error for any answer but 201
 */
export async function load({
  port,
  connections,
  forMs,
  atLeast = 0,
}: Load): Promise<{ answers: number; tookMs: number }> {
  const startedAt = performance.now();
  let answered = 0;
  const isOver = (): boolean => (answered += 1) >= atLeast && performance.now() >= startedAt + forMs;
  const counts = await Promise.all(Array.from({ length: connections }, () => oneAfterTheOther(port, isOver)));
  return { answers: counts.reduce((sum, count) => sum + count, 0), tookMs: performance.now() - startedAt };
}

function oneAfterTheOther(port: number, isOver: () => boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let answers = 0;
    let text = '';
    socket.setEncoding('latin1');
    socket.once('error', reject);
    socket.once('connect', () => sendOrder(socket, port));
    socket.on('data', (chunk: string) => {
      text += chunk;
      const size = sizeOfAnswer(text);
      if (size === undefined || text.length < size) return;
      if (!text.startsWith('HTTP/1.1 201 ')) {
        socket.destroy();
        return reject(new Error(`not a 201 but ${text}`));
      }
      text = text.slice(size);
      answers += 1;
      if (!isOver()) return sendOrder(socket, port);
      socket.destroy();
      resolve(answers);
    });
  });
}

function sendOrder(socket: Socket, port: number): void {
  sent += 1;
  const body = `{"sku":"sku-${sent % 1_000}","qty":${1 + (sent % 9)}}`;
  socket.write(
    `POST /orders HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nAccept: */*\r\n` +
      `User-Agent: bench\r\nAuthorization: Bearer of-ann\r\nIdempotency-Key: "V1StGXR8_Z5jdHi6B-${sent.toString(36)}"\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
    'latin1',
  );
}

/** Head and body together; undefined while the head is not complete. @throws Error if its length is not given */
function sizeOfAnswer(text: string): number | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  if (length !== undefined) return headEnd + 4 + Number(length);
  // Chunked: the answers here are small, so the last chunk comes with the rest.
  const end = text.indexOf('\r\n0\r\n\r\n', headEnd);
  return end === -1 ? undefined : end + 7;
}
