import { describe, expect, it } from 'vitest';
import { batchDoor } from './batch';
import type { BatchDoorOptions } from './batch';
import { idempotent } from './idempotent';
import type { Handler } from './idempotent';
import { memoryStore } from './stores/memory';
import { handSystem } from './testing/hand-system';

interface Answers {
  readonly answers: { status: number; headers: [string, string][]; body: { text?: string; base64?: string } | null }[];
}

/** A door before a guarded app that logs what it is asked and answers by path. */
function rig(handler?: Handler, options: BatchDoorOptions = {}) {
  const log: string[] = [];
  const statuses: Record<string, number> = { '/busy': 503, '/refused': 422, '/limited': 429, '/signed-out': 401 };
  const app = idempotent(
    async (request, context) => {
      const { pathname } = new URL(request.url);
      log.push(`${request.method} ${pathname} ${context?.key}`);
      if (handler) return handler(request, context);
      return new Response(`did ${pathname}`, { status: statuses[pathname] ?? 201 });
    },
    { store: memoryStore(), principal: (request) => request.headers.get('authorization') },
  );
  const door = batchDoor(app, options);
  async function send(requests: unknown, more: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
    const body = JSON.stringify({ requests, ...more });
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
    return door(new Request('http://api.test/batch', init));
  }
  const answers = async (...args: Parameters<typeof send>) => ((await (await send(...args)).json()) as Answers).answers;
  const statusesOf = async (...args: Parameters<typeof send>) => (await answers(...args)).map(({ status }) => status);
  return { door, app, send, answers, statusesOf, log };
}

const one = (target: string, key: string, more: Record<string, unknown> = {}) => ({
  method: 'POST',
  target,
  headers: [
    ['idempotency-key', `"${key}"`],
    ['content-type', 'application/json'],
  ],
  body: { text: '{}' },
  ...more,
});

describe('the batch door', () => {
  it('does many requests in order and answers each', async () => {
    const { answers, log } = rig();
    const all = await answers([one('/a', '1'), one('/b', '2', { method: 'PUT' }), one('/c', '3')]);
    expect(all.map(({ status, body }) => [status, body?.text])).toEqual([
      [201, 'did /a'],
      [201, 'did /b'],
      [201, 'did /c'],
    ]);
    expect(log).toEqual(['POST /a 1', 'PUT /b 2', 'POST /c 3']);
  });

  it('does nothing twice when the whole is sent again, or parts of it, or one alone', async () => {
    const { answers, send, app, log } = rig();
    await send([one('/a', '1'), one('/b', '2')]);
    const again = await answers([one('/b', '2'), one('/c', '3'), one('/a', '1')]);
    expect(again.map(({ headers }) => Object.fromEntries(headers)['idempotency-replayed'])).toEqual([
      'true',
      undefined,
      'true',
    ]);
    const headers = { 'idempotency-key': '"1"', 'content-type': 'application/json' };
    const alone = await app(new Request('http://api.test/a', { method: 'POST', body: '{}', headers }));
    expect(alone.headers.get('idempotency-replayed')).toBe('true');
    expect(log).toEqual(['POST /a 1', 'POST /b 2', 'POST /c 3']);
  });

  it('goes on after a failure outside its lane, and stops the lane after one that would be sent again', async () => {
    const { statusesOf, log } = rig();
    const lane = { lane: 'l' };
    const requests = [
      one('/a', '1', lane),
      one('/busy', '2', lane),
      one('/b', '3', lane),
      one('/c', '4'),
      one('/d', '5', { lane: 'm' }),
    ];
    expect(await statusesOf(requests)).toEqual([201, 503, 424, 201, 201]);
    expect(log).not.toContain('POST /b 3');
    const free = one('/b', '3', lane); // not attempted: the key is still free
    expect(await statusesOf([free])).toEqual([201]);
  });

  it('lets a lane go on after a final refusal, unless it is told to stop there too, or never to stop', async () => {
    const requests = [one('/refused', '1', { lane: 'l' }), one('/b', '2', { lane: 'l' })];
    expect(await rig().statusesOf(requests)).toEqual([422, 201]);
    expect(await rig().statusesOf(requests, { stop: 'failure' })).toEqual([422, 424]);
    const busy = [one('/busy', '1', { lane: 'l' }), one('/b', '2', { lane: 'l' })];
    expect(await rig().statusesOf(busy, { stop: 'never' })).toEqual([503, 201]);
    for (const path of ['/limited', '/signed-out', '/busy']) {
      const lane = [one(path, '1', { lane: 'l' }), one('/b', '2', { lane: 'l' })];
      expect([path, (await rig().statusesOf(lane))[1]]).toEqual([path, 424]);
    }
  });

  it('stops a lane behind a request that is to be made elsewhere, and not behind one that is done', async () => {
    for (const [status, behind] of [
      [303, 201],
      [307, 424],
      [308, 424],
    ]) {
      const { statusesOf } = rig(({ url }) => new Response(null, { status: url.endsWith('/a') ? status! : 201 }));
      const lane = [one('/a', '1', { lane: 'l' }), one('/b', '2', { lane: 'l' })];
      expect(await statusesOf(lane, { stop: 'failure' })).toEqual([status, behind]);
    }
  });

  it('stops a lane behind a request that is still running elsewhere', async () => {
    const { app, statusesOf } = rig(() => new Promise<Response>(() => undefined));
    const headers = { 'idempotency-key': '"1"', 'content-type': 'application/json' };
    void app(new Request('http://api.test/a', { method: 'POST', body: '{}', headers }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await statusesOf([one('/a', '1', { lane: 'l' }), one('/b', '2', { lane: 'l' })])).toEqual([409, 424]);
  });

  it('answers for a handler that throws, and goes on', async () => {
    const { statusesOf } = rig((request) => {
      if (request.url.endsWith('/a')) throw new Error('broken');
      return new Response('ok');
    });
    expect(await statusesOf([one('/a', '1'), one('/b', '2')])).toEqual([500, 200]);
  });

  it('carries bytes both ways as they are', async () => {
    const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => index % 256);
    const { answers } = rig(async (request) => new Response(await request.arrayBuffer()));
    const base64 = Buffer.from(bytes).toString('base64');
    const [binary, text, none] = await answers([
      one('/a', '1', { body: { base64 } }),
      one('/b', '2', { body: { text: '\ufeffnaïve ✓' } }),
      one('/c', '3', { body: undefined }),
    ]);
    expect(binary?.body).toEqual({ base64 });
    expect(text?.body).toEqual({ text: '\ufeffnaïve ✓' });
    expect(none?.body).toBeNull();
  });

  it('acts for the caller of the batch, and lets no request set what a page could not', async () => {
    const { answers } = rig((request) => {
      const seen = ['authorization', 'cookie', 'origin', 'host', 'x-own', 'content-length'].map((name) =>
        request.headers.get(name),
      );
      return Response.json(seen);
    });
    const headers = [
      ['idempotency-key', 'k'],
      ['cookie', 'sid=evil'],
      ['Origin', 'https://evil.test'],
      ['host', 'evil.test'],
      ['x-forwarded-for', '::1'],
      ['x-own', 'yes'],
    ];
    const outer = { authorization: 'Bearer ann', cookie: 'sid=ann', origin: 'https://shop.test' };
    const [answer] = await answers([one('/a', '1', { headers })], {}, outer);
    const seen = JSON.parse(answer?.body?.text ?? '') as unknown[];
    expect(seen.slice(0, 5)).toEqual(['Bearer ann', 'sid=ann', 'https://shop.test', null, 'yes']);
  });

  it('sets the cookies of the single answers', async () => {
    const { send } = rig(() => new Response('ok', { headers: { 'set-cookie': 'a=1' } }));
    const response = await send([one('/a', '1')]);
    expect(response.headers.getSetCookie()).toEqual(['a=1']);
    expect(JSON.stringify(await response.json())).not.toContain('a=1');
  });

  it('refuses a single request without a key, or that names the door itself, and does the others', async () => {
    const { statusesOf } = rig();
    expect(await statusesOf([one('/a', '1', { headers: [] }), one('/batch?x', '2'), one('/c', '3')])).toEqual([
      400, 400, 201,
    ]);
    expect(await statusesOf([one('/a', '"'), one('/b', '2')])).toEqual([400, 201]);
  });

  it('begins nothing after its time is over', async () => {
    const system = handSystem();
    const { statusesOf } = rig(
      async () => {
        await system.pass(15_000);
        return new Response('slow');
      },
      { system, budgetMs: 20_000 },
    );
    expect(await statusesOf([one('/a', '1'), one('/b', '2'), one('/c', '3')])).toEqual([200, 200, 424]);
  });

  it('refuses a whole batch that is malformed, and does none of it', async () => {
    const { send, door, log } = rig(undefined, { maxRequests: 2 });
    const bad: [unknown, Record<string, unknown>?, Record<string, string>?][] = [
      ['x'],
      [[]],
      [[one('/a', '1'), one('/b', '2'), one('/c', '3')]],
      [[one('/a', '1')], { stop: 'sometimes' }],
      [[one('/a', '1')], {}, { 'content-type': 'text/plain' }],
      [[one('/a', '1'), 7]],
      [[one('/a', '1', { method: 'GET' })]],
      [[one('//evil.test/a', '1')]],
      [[one('/\\evil.test/a', '1')]],
      [[one('http://evil.test/a', '1')]],
      [[one('/a#b', '1')]],
      [[one('/a', '1', { headers: [['a']] })]],
      [[one('/a', '1', { headers: [['a b', 'c']] })]],
      [[one('/a', '1', { headers: [['a', 'b\r\nc: d']] })]],
      [[one('/a', '1', { body: { base64: '!' } })]],
      [[one('/a', '1', { body: 'x' })]],
      [[one('/a', '1', { lane: 7 })]],
    ];
    for (const [requests, more, headers] of bad) {
      const response = await send(requests, more, headers);
      expect([requests, response.status]).toEqual([requests, 400]);
      expect(await response.json()).toMatchObject({ code: 'batch-malformed' });
    }
    const init = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } };
    expect((await door(new Request('http://api.test/batch', init))).status).toBe(400);
    expect(log).toEqual([]);
  });

  it('refuses one that is too large', async () => {
    const { send } = rig(undefined, { maxBodyBytes: 100 });
    expect((await send([one('/a', '1', { body: { text: 'x'.repeat(100) } })])).status).toBe(400);
  });
});
