import { describe, expect, it } from 'vitest';
import { keepAnswer } from './keep-answer';
import { problem, rig } from './testing/rig';

const headers = new Headers();

describe('keepAnswer', () => {
  it('keeps what the same request would get again, and nothing that may pass', () => {
    const kept = (status: number): boolean => keepAnswer({ status, headers, committed: false });
    for (const status of [200, 201, 202, 204, 301, 303, 304, 400, 404, 409, 410, 412, 413, 422]) {
      expect([status, kept(status)]).toEqual([status, true]);
    }
    for (const status of [401, 403, 408, 421, 425, 429, 500, 501, 502, 503, 504, 520]) {
      expect([status, kept(status)]).toEqual([status, false]);
    }
  });

  it('keeps anything once the handler has committed', () => {
    for (const status of [401, 429, 500, 503]) expect(keepAnswer({ status, headers, committed: true })).toBe(true);
  });
});

describe('a handler', () => {
  it('that is too busy runs again for the same key, and its success is kept', async () => {
    const statuses = [503, 429, 201];
    const { send, runs } = rig(() => new Response(null, { status: statuses.shift() ?? 500 }));
    const first = await send();
    expect([first.status, first.headers.get('idempotency-retention')]).toEqual([503, null]);
    expect((await send()).status).toBe(429);
    expect((await send()).status).toBe(201);
    expect((await send()).headers.get('idempotency-replayed')).toBe('true');
    expect(runs()).toBe(3);
  });

  it('whose refusal is final is not asked again', async () => {
    const { send, runs } = rig(() => Response.json({ error: 'sold out' }, { status: 409 }));
    await send();
    expect(await (await send()).json()).toEqual({ error: 'sold out' });
    expect(runs()).toBe(1);
  });

  it('that throws before it committed leaves the key free', async () => {
    let fails = true;
    const { send, runs } = rig(() => {
      if (fails) throw new Error('database gone');
      return new Response('ok');
    });
    await expect(send()).rejects.toThrow('database gone');
    fails = false;
    expect(await (await send()).text()).toBe('ok');
    expect(runs()).toBe(2);
  });

  it('that throws after it committed is not run again; its callers are told that the work stands', async () => {
    const { send, runs } = rig((_, context) => {
      context?.committed();
      throw new Error('template broken');
    });
    await expect(send()).rejects.toThrow('template broken');
    const second = await send();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await problem(second)).toEqual({ status: 500, code: 'failed-after-commit' });
    expect(runs()).toBe(1);
  });

  it('whose 500 came after it committed is not run again', async () => {
    const { send, runs } = rig((_, context) => {
      context?.committed();
      return new Response('half', { status: 500 });
    });
    await send();
    expect(await (await send()).text()).toBe('half');
    expect(runs()).toBe(1);
  });

  it('whose body breaks while it is read leaves the key free', async () => {
    let fails = true;
    const { send, runs } = rig(() => {
      if (!fails) return new Response('ok');
      return new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('cut off')) }));
    });
    await expect(send()).rejects.toThrow('cut off');
    fails = false;
    expect(await (await send()).text()).toBe('ok');
    expect(runs()).toBe(2);
  });

  it('that was aborted by its caller leaves the key free', async () => {
    const { api, send, runs } = rig((request) => {
      request.signal.throwIfAborted();
      return new Response('ok');
    });
    const gone = new Request('http://api.test/orders', {
      method: 'POST',
      headers: { 'idempotency-key': 'k1' },
      body: 'x',
      signal: AbortSignal.abort(),
    });
    await expect(api(gone)).rejects.toThrow();
    expect((await send()).status).toBe(200);
    expect(runs()).toBe(2);
  });

  it('is judged by a policy of the app where there is one', async () => {
    const { send, runs } = rig(() => new Response('no', { status: 404 }), { keepAnswer: ({ status }) => status < 300 });
    await send();
    await send();
    expect(runs()).toBe(2);
  });
});
