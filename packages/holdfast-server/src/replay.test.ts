import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gate, problem, request, rig } from './testing/rig';

describe('a second request with the same key', () => {
  it('gets the first answer, says that it is one, and runs nothing', async () => {
    const { send, runs } = rig();
    const first = await send();
    const second = await send({ key: 'k1' });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.status).toBe(201);
    expect(await second.text()).toBe(await first.text());
    expect(runs()).toBe(1);
  });

  it('gets 409 with Retry-After and a stable type while the first is running', async () => {
    const { promise, open } = gate<Response>();
    const { send, runs } = rig(() => promise);
    const first = send();
    const second = await send();
    expect(second.headers.get('retry-after')).toBe('1');
    expect(second.headers.get('link')).toMatch(/rel="describedby"/);
    expect(await second.json()).toMatchObject({ type: 'urn:holdfast:idempotency:in-progress', status: 409 });
    open(new Response('done'));
    expect(await (await first).text()).toBe('done');
    expect(runs()).toBe(1);
  });

  it('gets 422 for another payload, also while the first is running', async () => {
    const { promise, open } = gate<Response>();
    const { send } = rig(() => promise);
    const first = send();
    expect(await problem(await send({ body: '{"sku":"X2"}' }))).toEqual({ status: 422, code: 'key-reused' });
    open(new Response('done'));
    await first;
    expect(await problem(await send({ body: '{"sku":"X2"}' }))).toEqual({ status: 422, code: 'key-reused' });
  });

  it('waits for the running answer if told to', async () => {
    const { promise, open } = gate<Response>();
    const { send, system, runs } = rig(() => promise, { waitMs: 5_000 });
    const first = send();
    await system.pass(0);
    const second = send();
    await system.pass(0);
    await system.pass(1_000);
    open(new Response('done'));
    await first;
    await system.pass(1_000);
    expect(await (await second).text()).toBe('done');
    expect(runs()).toBe(1);
  });

  it('stops waiting in time and says so', async () => {
    const { promise } = gate<Response>();
    const { send, system } = rig(() => promise, { waitMs: 5_000 });
    void send();
    await system.pass(0);
    const second = send();
    await system.pass(0);
    await system.pass(5_001);
    expect(await problem(await second)).toEqual({ status: 409, code: 'in-progress' });
  });
});

describe('a replay', () => {
  it('has a binary body byte for byte', async () => {
    const bytes = Uint8Array.from({ length: 1_024 }, (_, index) => index % 256);
    const { send } = rig(() => new Response(bytes, { headers: { 'content-type': 'image/png' } }));
    await send();
    expect(new Uint8Array(await (await send()).arrayBuffer())).toEqual(bytes);
  });

  it('has a compressed body as it was compressed', async () => {
    const packed = gzipSync('hello');
    const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain' };
    const { send } = rig(() => new Response(packed, { headers }));
    await send();
    const again = await send();
    expect(again.headers.get('content-encoding')).toBe('gzip');
    expect(Buffer.from(await again.arrayBuffer())).toEqual(packed);
  });

  it.each([204, 205, 304])('has status %i and no body', async (status) => {
    const { send, runs } = rig(() => new Response(null, { status, headers: { etag: '"1"' } }));
    const first = await send();
    const second = await send();
    expect([first.status, second.status, runs()]).toEqual([status, status, 1]);
    expect(second.body).toBeNull();
    expect(second.headers.get('etag')).toBe('"1"');
  });

  it('keeps what belongs to the answer and never a session', async () => {
    const kept = {
      'content-type': 'application/json; charset=utf-8',
      location: '/orders/77',
      etag: '"v1"',
      'cache-control': 'private',
      vary: 'accept',
      'access-control-allow-origin': 'https://shop.test',
    };
    const { send } = rig(
      () => new Response('{}', { headers: { ...kept, 'set-cookie': 'sid=1', 'x-request-id': 'r1' } }),
    );
    const first = await send();
    expect(first.headers.getSetCookie()).toEqual(['sid=1']);
    const second = await send();
    for (const [name, value] of Object.entries(kept)) expect([name, second.headers.get(name)]).toEqual([name, value]);
    expect(second.headers.getSetCookie()).toEqual([]);
    expect(second.headers.get('x-request-id')).toBeNull();
  });

  it('keeps more headers by option, but refuses to keep a session', async () => {
    const { send } = rig(() => new Response('{}', { headers: { 'x-total': '7' } }), { keepHeaders: ['x-total'] });
    await send();
    expect((await send()).headers.get('x-total')).toBe('7');
    expect(() => rig(undefined, { keepHeaders: ['Set-Cookie'] })).toThrow(/never replayed/);
  });

  it('publishes how long answers are kept, on first answers and replays', async () => {
    const { send } = rig(undefined, { retentionMs: 86_400_000 });
    expect((await send()).headers.get('idempotency-retention')).toBe('86400');
    expect((await send()).headers.get('idempotency-retention')).toBe('86400');
  });

  it('cannot be faked: a marker on a request means nothing, and one from the handler is taken off', async () => {
    const { send, runs } = rig(() => new Response('x', { headers: { 'idempotency-replayed': 'true' } }));
    const first = await send({ headers: { 'idempotency-replayed': 'true' } });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(runs()).toBe(1);
  });

  it('has no body where the answer was too large to keep, says so, and the first caller gets it whole', async () => {
    const large = 'x'.repeat(3_000);
    const chunks = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < 3; at += 1) controller.enqueue(new TextEncoder().encode('x'.repeat(1_000)));
        controller.close();
      },
    });
    const headers = { location: '/reports/1', 'content-type': 'text/plain' };
    const { send, runs } = rig(() => new Response(chunks, { status: 201, headers }), { maxAnswerBytes: 2_500 });
    const first = await send();
    expect(first.headers.get('idempotency-note')).toBe('body-not-kept');
    expect(await first.text()).toBe(large);
    const second = await send();
    expect([second.status, await second.text(), runs()]).toEqual([201, '', 1]);
    expect(second.headers.get('idempotency-note')).toBe('body-not-kept');
    expect(second.headers.get('location')).toBe('/reports/1');
  });

  it('is a second run instead, where the option says so', async () => {
    const { send, runs } = rig(() => new Response('x'.repeat(100)), { maxAnswerBytes: 10, onUnstorable: 'rerun' });
    expect(await (await send()).text()).toHaveLength(100);
    expect(await (await send()).text()).toHaveLength(100);
    expect(runs()).toBe(2);
  });

  it('has no body of a stream, which is passed on as it comes', async () => {
    let push!: (text: string) => void;
    let end!: () => void;
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        push = (text) => controller.enqueue(new TextEncoder().encode(text));
        end = () => controller.close();
      },
    });
    const { send, runs } = rig(() => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }));
    const first = await send();
    expect(first.headers.get('idempotency-note')).toBe('body-not-kept');
    const reader = first.body?.getReader();
    push('data: 1\n\n');
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
    const second = await send(); // the key is not locked while the stream goes on
    expect([second.status, await second.text(), runs()]).toEqual([200, '', 1]);
    end();
  });
});

describe('the handler', () => {
  it('sees the request as it was sent, its body unread', async () => {
    const controller = new AbortController();
    let seen: unknown;
    const { api } = rig(async (incoming) => {
      const { method, url, signal } = incoming;
      const custom = incoming.headers.get('x-custom');
      seen = { method, url, custom, used: incoming.bodyUsed, text: await incoming.text(), aborted: signal.aborted };
      controller.abort();
      expect(signal.aborted).toBe(true);
      return new Response('ok');
    });
    const sent = request({ method: 'PUT', path: '/a?b=1', headers: { 'x-custom': 'yes' }, body: '{"a":1}' });
    await api(new Request(sent, { signal: controller.signal }));
    const url = 'http://api.test/a?b=1';
    expect(seen).toEqual({ method: 'PUT', url, custom: 'yes', used: false, text: '{"a":1}', aborted: false });
  });

  it('is not told of a key where there is none, and other methods pass untouched', async () => {
    const contexts: unknown[] = [];
    const { send, runs } = rig((_, context) => {
      contexts.push(context?.key);
      return new Response('ok');
    });
    const [get] = [await send({ method: 'GET' }), await send({ key: null }), await send({ key: null })];
    expect(get.headers.get('idempotency-retention')).toBeNull();
    await send({ key: '"a"' });
    expect(contexts).toEqual([undefined, undefined, undefined, 'a']);
    expect(runs()).toBe(4);
  });

  it('runs on a request without a body, and on an empty one', async () => {
    const { send, runs } = rig(async (incoming) => new Response(await incoming.text()));
    expect(await (await send({ method: 'DELETE', body: null })).text()).toBe('');
    expect((await send({ method: 'DELETE', body: '' })).headers.get('idempotency-replayed')).toBe('true');
    expect(runs()).toBe(1);
  });
});

describe('a request the guard refuses', () => {
  it('without a key where one is wanted gets 400', async () => {
    const { send, runs } = rig(undefined, { required: true });
    const response = await send({ key: null });
    expect(response.headers.get('link')).toMatch(/rel="describedby"/);
    expect(await problem(response)).toEqual({ status: 400, code: 'key-missing' });
    const some = rig(undefined, { required: (incoming) => incoming.url.endsWith('/orders') });
    expect((await some.send({ key: null })).status).toBe(400);
    expect((await some.send({ key: null, path: '/log' })).status).toBe(201);
    expect(runs()).toBe(0);
  });

  it.each([['""'], ['"a", "b"'], ['"a'], ['a b'], ['x'.repeat(256)]])(
    'with the malformed key %s gets 400',
    async (key) => {
      const { send, runs } = rig();
      const response = await send({ key });
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(await problem(response)).toEqual({ status: 400, code: 'key-malformed' });
      expect(runs()).toBe(0);
    },
  );

  it('with two key fields gets 400', async () => {
    const { api } = rig();
    const twice = request();
    twice.headers.append('idempotency-key', '"k2"');
    expect(await problem(await api(twice))).toEqual({ status: 400, code: 'key-malformed' });
  });

  it('with a body larger than is fingerprinted gets 413, declared or not', async () => {
    const { send, runs } = rig(undefined, { maxBodyBytes: 10 });
    expect(await problem(await send({ body: 'x'.repeat(11) }))).toEqual({ status: 413, code: 'body-too-large' });
    const declared = await send({ body: 'x'.repeat(11), headers: { 'content-length': '11' } });
    expect(declared.status).toBe(413);
    expect((await send({ body: 'x'.repeat(10), key: '"k2"' })).status).toBe(201);
    expect(runs()).toBe(1);
  });

  it('never has a session or a cached refusal: refusals are not to be stored', async () => {
    const { send } = rig();
    expect((await send({ key: '""' })).headers.get('cache-control')).toBe('no-store');
  });
});
