import { describe, expect, it } from 'vitest';
import { targetOf } from './scope';
import { rig } from './testing/rig';

describe('a key', () => {
  it('is another for another principal: nobody gets the answer of somebody else', async () => {
    const { send, runs } = rig((request) => new Response(request.headers.get('x-user')), {
      principal: (request) => request.headers.get('x-user'),
    });
    expect(await (await send({ headers: { 'x-user': 'ann' } })).text()).toBe('ann');
    expect(await (await send({ headers: { 'x-user': 'bob' } })).text()).toBe('bob');
    expect(await (await send({ headers: { 'x-user': 'ann' } })).text()).toBe('ann');
    expect(runs()).toBe(2);
  });

  it('of a caller nobody knows is not that of one whose name looks like it', async () => {
    for (const name of ['', 'null', 'undefined', 'anonymous']) {
      const { send, runs } = rig(undefined, { principal: (request) => request.headers.get('x-user') ?? undefined });
      await send();
      await send({ headers: { 'x-user': name } });
      expect([name, runs()]).toEqual([name, 2]);
    }
  });

  it('without the option is another for another token or session, and the log says what that costs', async () => {
    const { send, runs, events } = rig(undefined, { principal: undefined as never });
    await send({ headers: { authorization: 'Bearer a' } });
    await send({ headers: { authorization: 'Bearer b' } });
    await send({ headers: { cookie: 'sid=1' } });
    await send({ headers: { cookie: 'sid=2' } });
    await send();
    expect(runs()).toBe(5);
    expect((await send({ headers: { authorization: 'Bearer a' } })).headers.get('idempotency-replayed')).toBe('true');
    expect(events.filter(({ name }) => name === 'warning')).toHaveLength(1);
  });

  it('is another for another method, path or query', async () => {
    const { send, runs } = rig();
    await send({ path: '/orders' });
    await send({ path: '/orders?dryRun=1' });
    await send({ path: '/orders?dryRun=0' });
    await send({ path: '/notes' });
    await send({ path: '/orders', method: 'PUT' });
    expect(runs()).toBe(5);
    expect((await send({ path: '/orders?dryRun=1' })).headers.get('idempotency-replayed')).toBe('true');
  });

  it('is the same for the same request, whatever other fields say', async () => {
    const { send, runs } = rig();
    await send({ headers: { traceparent: '00-1', 'holdfast-age': '5' } });
    const again = await send({ headers: { traceparent: '00-2', 'holdfast-age': '9000', 'x-csrf-token': 'new' } });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(runs()).toBe(1);
  });

  it('may come in a field of another name', async () => {
    const { send, runs } = rig(undefined, { header: 'x-idempotency-key' });
    await send({ key: null, headers: { 'x-idempotency-key': 'k1' } });
    await send({ key: null, headers: { 'x-idempotency-key': 'k1' } });
    await send({ key: 'k1' });
    expect(runs()).toBe(2);
  });
});

describe('targetOf', () => {
  it('is path and query as sent, without the fragment', () => {
    expect(targetOf('http://a.test/x/y?b=1&a=2#top')).toBe('/x/y?b=1&a=2');
    expect(targetOf('http://a.test/')).toBe('/');
    expect(targetOf('http://a.test')).toBe('/');
  });
});
