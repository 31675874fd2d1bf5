import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Arrival, Outgoing } from '../ports';
import { fakeSystem } from '../testing/fake-system';
import { sampleEntry } from '../testing/sample-entry';
import { fetchTransport } from './fetch-transport';
import { system } from './system';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

interface Got {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A real server; resolves with its address and what it received. */
async function listening(answer: (response: ServerResponse, request: IncomingMessage) => void) {
  const got: Got[] = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({ method: request.method, headers: request.headers, body: Buffer.concat(chunks) });
      answer(response, request);
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, resolve));
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/orders`, got };
}

const outgoing = (url: string, changes: Partial<Outgoing> = {}): Outgoing => ({
  ...sampleEntry(1).request,
  url,
  referrer: 'about:client',
  body: null,
  ...changes,
});
const send = (request: Outgoing, timeoutMs = 0) => fetchTransport({ system }).send(request, timeoutMs);
function answerOf(arrival: Arrival) {
  if (arrival.kind !== 'answer') throw new Error(`expected an answer, got ${arrival.kind}: ${arrival.message}`);
  return arrival.answer;
}

describe('what leaves', () => {
  it('has the stored method, headers and bytes', async () => {
    const { url, got } = await listening((response) => response.end());
    const body = new Uint8Array([0, 255, 10, 13]);
    const headers = [
      ['content-type', 'multipart/form-data; boundary=----WebKitFormBoundaryAbC'],
      ['idempotency-key', '"k-1"'],
    ] as const;
    await send(outgoing(url, { method: 'PATCH', headers, body }));
    expect(got[0]).toMatchObject({
      method: 'PATCH',
      headers: { 'content-type': headers[0][1], 'idempotency-key': '"k-1"', 'content-length': '4' },
    });
    expect(new Uint8Array(got[0]!.body)).toEqual(body);
  });

  it('is the same again on every attempt', async () => {
    const { url, got } = await listening((response) => response.writeHead(503).end());
    const request = outgoing(url, {
      body: new Blob(['payload'], { type: 'text/x' }),
      headers: [['content-type', 'text/X; a=B']],
    });
    for (let attempt = 0; attempt < 3; attempt += 1) await send(request);
    expect(got.map(({ headers, body }) => [headers['content-type'], body.toString()])).toEqual(
      Array.from({ length: 3 }, () => ['text/X; a=B', 'payload']),
    );
  });

  it('gets no Content-Type from a Blob when it had none', async () => {
    const { url, got } = await listening((response) => response.end());
    await send(outgoing(url, { headers: [], body: new Blob(['x'], { type: 'image/png' }) }));
    expect(got[0]!.headers['content-type']).toBeUndefined();
  });

  it('leaves out headers that only the browser may set', async () => {
    const { url, got } = await listening((response) => response.end());
    const forbidden = [
      'Content-Length',
      'Cookie',
      'Host',
      'Origin',
      'Sec-Fetch-Mode',
      'Proxy-Authorization',
      'Referer',
    ];
    await send(outgoing(url, { headers: [...forbidden.map((name) => [name, '1'] as const), ['x-own', 'yes']] }));
    expect(got[0]!.headers).toMatchObject({ 'x-own': 'yes' });
    expect(Object.values(got[0]!.headers)).not.toContain('1');
  });

  it('is built anew as a plain request when it was a navigation, and its redirect is not followed', async () => {
    const { url, got } = await listening((response) => response.writeHead(303, { location: '/done' }).end());
    const arrival = await send(outgoing(url, { mode: 'navigate', redirect: 'follow' }));
    expect(got).toHaveLength(1);
    // Node's fetch shows the redirect, browsers an `opaqueredirect`; neither goes there.
    expect(answerOf(arrival).redirected).toBe(false);
  });

  it('asks the server although it was made to ask only the cache', async () => {
    const { url, got } = await listening((response) => response.end());
    await send(outgoing(url, { cache: 'only-if-cached' }));
    expect(got).toHaveLength(1);
  });
});

describe('what comes back', () => {
  it('is the head as it is', async () => {
    const { url } = await listening((response) =>
      response.writeHead(429, { 'retry-after': '7', 'x-a': 'b' }).end('slow down'),
    );
    const answer = answerOf(await send(outgoing(url)));
    expect(answer).toMatchObject({ status: 429, url, redirected: false });
    expect(answer.headers).toContainEqual(['retry-after', '7']);
    expect(await answer.text(100)).toEqual({ text: 'slow down', truncated: false });
  });

  it('is read only as far as asked, and a cut character is left out', async () => {
    const { url } = await listening((response) => response.end('naïve'.repeat(40_000)));
    const answer = answerOf(await send(outgoing(url)));
    expect(await answer.text(3)).toEqual({ text: 'na', truncated: true });
  });

  it('can be read and still be handed to the page', async () => {
    const { url } = await listening((response) => response.end('{"id":77}'));
    const answer = answerOf(await send(outgoing(url)));
    expect(await answer.text(100, true)).toEqual({ text: '{"id":77}', truncated: false });
    expect(await (answer.response as Response).json()).toEqual({ id: 77 });
  });

  it('is not read at all when nobody wants its body, and the server may stop sending', async () => {
    let gone: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (gone = resolve));
    const { url } = await listening((response) => {
      response.on('close', () => gone());
      response.write('and so on, '.repeat(100));
    });
    const answer = answerOf(await send(outgoing(url)));
    expect(await answer.text(0)).toEqual({ text: '', truncated: true });
    await stopped;
  });

  it('is read in part without waiting for the page to read the rest', async () => {
    const { url } = await listening((response) => response.end('x'.repeat(300_000)));
    const answer = answerOf(await send(outgoing(url)));
    expect(await answer.text(3, true)).toEqual({ text: 'xxx', truncated: true });
    expect(await (answer.response as Response).text()).toHaveLength(300_000);
  });

  it('is empty and truncated when its body breaks off or was read before', async () => {
    const { url } = await listening((response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('partly');
      setTimeout(() => response.destroy(), 20);
    });
    const answer = answerOf(await send(outgoing(url)));
    expect(await answer.text(1_000)).toEqual({ text: '', truncated: true });
    expect(await answer.text(1_000)).toEqual({ text: '', truncated: true });
  });

  it('has no body when it is a 204', async () => {
    const { url } = await listening((response) => response.writeHead(204).end());
    expect(await answerOf(await send(outgoing(url))).text(100)).toEqual({ text: '', truncated: false });
  });

  it('is given up when its body drips without an end', async () => {
    const clock = fakeSystem();
    const { url } = await listening((response) => void response.write('first'));
    const answer = answerOf(await fetchTransport({ system: clock }).send(outgoing(url), 0));
    const read = answer.text(1_000);
    await clock.passMs(30_000);
    expect((await read).truncated).toBe(true);
  });
});

describe('a request the platform cannot make', () => {
  const check = (changes: Partial<Outgoing>, hasBody = false) =>
    fetchTransport({ system }).check(outgoing('https://app.example/orders', changes), hasBody);

  it.each<[string, Partial<Outgoing>, boolean?]>([
    ['a body on a GET', { method: 'GET' }, true],
    ['a method no browser sends', { method: 'CONNECT' }],
    ['an address with a password in it', { url: 'https://ann:secret@app.example/' }],
    ['no address', { url: 'orders' }],
    ['a header value on two lines', { headers: [['x-note', 'a\nb']] }],
    ['a mode of its own', { mode: 'telepathy' }],
  ])('is found without sending it: %s', (_, changes, hasBody) => {
    expect(() => check(changes, hasBody)).toThrow(expect.objectContaining({ code: 'not-storable' }) as Error);
  });

  it('is none of those an app can make, a navigation included', () => {
    for (const mode of ['navigate', 'cors', 'no-cors', 'same-origin']) check({ mode, method: 'POST' }, true);
    check({ method: 'HEAD' });
    check({ cache: 'only-if-cached' }, true);
  });
});

describe('no answer', () => {
  it('is `network` when nobody listens', async () => {
    const { url } = await listening((response) => response.end());
    server!.close();
    server = undefined;
    expect(await send(outgoing(url), 5_000)).toMatchObject({ kind: 'network' });
  });

  it('is `network` when the server did the work and died before it said so', async () => {
    const { url, got } = await listening((response) => response.socket?.destroy());
    expect(await send(outgoing(url, { body: new Uint8Array([1]) }), 5_000)).toMatchObject({ kind: 'network' });
    expect(got).toHaveLength(1);
  });

  it('is `timeout` when our own deadline passes, and the request is let go', async () => {
    const clock = fakeSystem();
    let gone: () => void = () => undefined;
    const letGo = new Promise<void>((resolve) => (gone = resolve));
    let heard: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (heard = resolve));
    const { url } = await listening((response) => {
      response.on('close', () => gone());
      heard();
    });
    const arrival = fetchTransport({ system: clock }).send(outgoing(url), 30_000);
    await arrived;
    await clock.passMs(30_000);
    expect(await arrival).toEqual({ kind: 'timeout', message: 'no answer within 30000 ms' });
    await letGo;
    expect(clock.timers()).toBe(0);
  });

  /** A server that has taken a request when this resolves, and answers when told to. */
  async function slowly(clock: ReturnType<typeof fakeSystem>, times: number, late: (status: number) => void) {
    const taken: ServerResponse[] = [];
    let hear: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (hear = resolve));
    const { url } = await listening((response) => {
      if (taken.push(response) === times) hear();
    });
    const transport = fetchTransport({ system: clock });
    const arrivals = Array.from({ length: times }, () =>
      transport.send(outgoing(url), 1_000, undefined, ({ status }) => late(status)),
    );
    await all;
    await clock.passMs(1_000);
    expect((await Promise.all(arrivals)).map(({ kind }) => kind)).toEqual(
      Array.from({ length: times }, () => 'timeout'),
    );
    return taken;
  }

  it('is still heard of when it comes after the deadline, where somebody waits for that', async () => {
    const clock = fakeSystem();
    let heard: (status: number) => void = () => undefined;
    const late = new Promise<number>((resolve) => (heard = resolve));
    const [response] = await slowly(clock, 1, (status) => heard(status));
    response?.writeHead(201).end();
    expect(await late).toBe(201);
    expect(clock.timers()).toBe(0);
  });

  it('keeps no more than two connections for late answers, and none for longer than a minute', async () => {
    const clock = fakeSystem();
    const taken = await slowly(clock, 3, () => expect.unreachable('nobody answered'));
    const closed = taken.map((response) => new Promise<void>((resolve) => response.on('close', resolve)));
    await Promise.race(closed);
    expect(clock.timers()).toBe(2);
    await clock.passMs(60_000);
    await Promise.all(closed);
    expect(clock.timers()).toBe(0);
  });

  it('leaves no timer behind', async () => {
    const clock = fakeSystem();
    const { url } = await listening((response) => response.end('x'));
    const answer = answerOf(await fetchTransport({ system: clock }).send(outgoing(url), 30_000));
    expect(clock.timers()).toBe(0);
    await answer.text(10);
    expect(clock.timers()).toBe(0);
  });
});
