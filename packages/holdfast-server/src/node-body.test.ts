import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { nodeListener } from './node';
import { bodyAtHand, readAndPutBack } from './node-body';

/** Sends a request in one write, so that the body comes with its head, and says what `look` made of it. */
async function seen<T>(fields: string, body: string, look: (message: IncomingMessage) => Promise<T>): Promise<T> {
  let found: Promise<T> | undefined;
  const server = createServer((incoming, outgoing) => {
    found = look(incoming);
    void found.then(() => outgoing.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${fields}\r\n\r\n${body}`);
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  await new Promise((resolve) => server.close(resolve));
  return found as Promise<T>;
}

describe('a body that came with its head', () => {
  it('is at hand after one wait, without a listener', async () => {
    const body = await seen('Content-Length: 5', 'hello', async (message) => {
      await Promise.resolve();
      return String(bodyAtHand(message));
    });
    expect(body).toBe('hello');
  });

  it('is not at hand if its length was not promised', async () => {
    const body = await seen('Transfer-Encoding: chunked', '5\r\nhello\r\n0\r\n\r\n', async (message) => {
      await Promise.resolve();
      return bodyAtHand(message);
    });
    expect(body).toBeUndefined();
  });

  it('is put back for a reader who comes late, and the stream ends for them', async () => {
    const [first, second] = await seen('Content-Length: 5', 'hello', async (message) => {
      const bytes = String(await readAndPutBack(message, 10));
      await new Promise((resolve) => setImmediate(resolve));
      return [bytes, (await message.toArray()).join('')];
    });
    expect([first, second]).toEqual(['hello', 'hello']);
  });

  it('lets the request end when the listener has taken it', async () => {
    const heard = await seen('Content-Length: 5', 'hello', async (message) => {
      const over = new Promise<string>((resolve) => message.once('end', () => resolve('over')));
      const answer = { writeHead: () => answer, end: () => answer, once: () => answer } as never;
      const body = new Promise<string>((resolve) => {
        const listener = nodeListener(async (request: Request) => {
          resolve(await request.text());
          return new Response(null);
        });
        void listener(message, answer);
      });
      return [await body, await over];
    });
    expect(heard).toEqual(['hello', 'over']);
  });
});
