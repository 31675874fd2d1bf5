import { describe, expect, it } from 'vitest';
import { keyStatus } from './status';
import { gate, problem, rig } from './testing/rig';

function ask(path: string, key: string | null = '"k1"', user = 'ann'): Request {
  const headers = { 'x-user': user, ...(key === null ? {} : { 'idempotency-key': key }) };
  return new Request(`http://api.test/keys${path}`, { headers });
}

describe('the status of a key', () => {
  const principal = (request: Request) => request.headers.get('x-user');
  const mine = { headers: { 'x-user': 'ann' } };

  it('tells whether it happened, through the whole life of a key, and changes nothing by telling', async () => {
    const { promise, open } = gate<Response>();
    const { api, send, system } = rig(() => promise, { principal, retentionMs: 10_000, tombstoneMs: 10_000 });
    const status = keyStatus(api.guard);
    const told = async (): Promise<unknown> => (await status(ask('?target=%2Forders'))).json();
    expect(await told()).toEqual({ state: 'absent' });
    const first = send(mine);
    await system.pass(0);
    expect(await told()).toEqual({ state: 'running' });
    open(new Response('ok', { status: 201 }));
    await first;
    expect(await told()).toEqual({ state: 'done', status: 201, answeredAt: new Date(system.now()).toISOString() });
    await system.pass(10_000);
    expect(await told()).toEqual({ state: 'gone' });
    await system.pass(10_000);
    expect(await told()).toEqual({ state: 'absent' });
  });

  it('is told to the caller whose key it is, for the method and target it was sent to', async () => {
    const { api, send } = rig(undefined, { principal });
    const status = keyStatus(api.guard);
    const state = async (request: Request) => ((await (await status(request)).json()) as { state: string }).state;
    await send({ ...mine, method: 'PUT', path: '/orders?a=1' });
    expect(await state(ask('?method=put&target=%2Forders%3Fa%3D1'))).toBe('done');
    expect(await state(ask('?method=PUT&target=%2Forders%3Fa%3D1', 'k1'))).toBe('done');
    expect(await state(ask('?target=%2Forders%3Fa%3D1'))).toBe('absent');
    expect(await state(ask('?method=PUT&target=%2Forders'))).toBe('absent');
    expect(await state(ask('?method=PUT&target=%2Forders%3Fa%3D1', '"k1"', 'bob'))).toBe('absent');
  });

  it('is refused without a key or target, and while the store is down', async () => {
    const { api } = rig();
    const status = keyStatus(api.guard);
    expect(await problem(await status(ask('?target=%2F', null)))).toEqual({ status: 400, code: 'key-missing' });
    expect(await problem(await status(ask('?target=%2F', '"')))).toEqual({ status: 400, code: 'key-malformed' });
    expect(await problem(await status(ask('')))).toEqual({ status: 400, code: 'key-malformed' });
    const store = new Proxy({}, { get: () => () => Promise.reject(new Error('down')) });
    const down = rig(undefined, { store: store as never });
    const refused = await keyStatus(down.api.guard)(ask('?target=%2F'));
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await problem(refused)).toEqual({ status: 503, code: 'store-unavailable' });
  });

  it('is never to be stored by a cache', async () => {
    const { api } = rig();
    expect((await keyStatus(api.guard)(ask('?target=%2F'))).headers.get('cache-control')).toBe('no-store');
  });
});
