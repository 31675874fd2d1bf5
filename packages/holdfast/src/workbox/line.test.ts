import { describe, expect, it } from 'vitest';
import { queueWorld } from './queue-world.fixture';
import { startRun } from './run';
import { take } from './take';
import { size } from './line';

describe('a queue', () => {
  it('has what is unshifted before everything else, each time', async () => {
    const { worker, paths } = queueWorld();
    const one = worker();
    await one.push('/a');
    await one.push('/b');
    for (const path of ['/1', '/2', '/3']) await one.unshift(path, { body: path.repeat(3_000) });
    await one.push('/c');
    expect(await paths()).toEqual(['/3', '/2', '/1', '/a', '/b', '/c']);
  });

  it('finds room at the front as often as one can ask', async () => {
    const { worker, paths, line, store } = queueWorld();
    const one = worker();
    await one.push('/last');
    for (let n = 0; n < 40; n += 1) await one.unshift(`/${n}`);
    expect(await paths()).toEqual([...Array.from({ length: 40 }, (_, n) => `/${39 - n}`), '/last']);
    expect(await store.transact('read', (rows) => size(rows, line.queue))).toBe(41);
  });

  it('sends what was unshifted first', async () => {
    const { worker, engine, transport, system } = queueWorld();
    const one = worker();
    await one.push('/b');
    await one.unshift('/a', { body: 'y'.repeat(9_000) });
    await system.passMs(2_000);
    await engine.drain.wake('start');
    expect(transport.sent.map(({ url }) => url)).toEqual(['https://app.example/a', 'https://app.example/b']);
    expect(transport.sent[0]?.body).toMatchObject({ byteLength: 9_000 });
  });

  it('counts what waits, also the expired, but not what is on its way', async () => {
    const { worker, store, system } = queueWorld();
    const one = worker();
    await one.push('/old');
    await system.passMs(61 * 60_000);
    await one.push('/1');
    await one.push('/2');
    const count = () => store.transact('read', (rows) => size(rows, 'api'));
    expect(await count()).toBe(3);
    await startRun(one.line, async (run) => {
      await run.begun;
      await take(one.line, 'end', run);
      expect(await count()).toBe(2);
    });
  });

  it('takes a request whose key is on another one: it is another request', async () => {
    const { worker, all } = queueWorld();
    const one = worker();
    const { key } = await one.push('/1');
    const copy = (body: string) => one.push('/1', { body, headers: { 'idempotency-key': `"${key}"` } });
    await copy('changed');
    await copy('/1');
    const rows = await all();
    expect(rows.map(({ body }) => body.size)).toEqual([2, 7]);
    expect(rows[1]!.key).not.toBe(key);
  });

  it('takes a request again that was done before, when the app wants it sent once more', async () => {
    const { worker, all, engine, system } = queueWorld();
    const one = worker();
    const { key } = await one.push('/1');
    await system.passMs(2_000);
    await engine.drain.wake('start');
    await one.push('/1', { headers: { 'idempotency-key': `"${key}"` } });
    expect(await all()).toMatchObject([{ state: 'delivered' }, { state: 'pending' }]);
  });

  it('keeps a key of the app’s own: what was done under it is not done again', async () => {
    const { worker, all, engine, system } = queueWorld();
    const one = worker();
    const own = { headers: { 'idempotency-key': 'order-7' } };
    await one.push('/1', own);
    await system.passMs(2_000);
    await engine.drain.wake('start');
    await one.push('/1', own);
    expect(await all()).toMatchObject([{ state: 'delivered', key: 'order-7' }]);
  });
});

describe('a request that was made from one that is out', () => {
  it('is the same one when its address and body are, with the headers it has now', async () => {
    const { worker, all } = queueWorld();
    const one = worker();
    const { key } = await one.push('/1', { headers: { authorization: 'old' } });
    await startRun(one.line, async (run) => {
      await run.begun;
      const entry = await take(one.line, 'front', run);
      const headers = new Headers(entry!.request.headers);
      headers.set('authorization', 'new');
      await one.putBack({ ...entry!, request: new Request(entry!.request, { headers }) }, 'front', run);
    });
    expect(await all()).toMatchObject([{ state: 'pending', key, outcome: 'unknown' }]);
    expect((await all())[0]!.request.headers).toContainEqual(['authorization', 'new']);
    expect((await all())[0]!.request.headers.map(([name]) => name)).not.toContain('idempotency-key');
  });

  it('has a new key when its body is another', async () => {
    const { worker, all } = queueWorld();
    const one = worker();
    const { key } = await one.push('/1', { body: 'x'.repeat(9_000) });
    await startRun(one.line, async (run) => {
      await run.begun;
      const entry = await take(one.line, 'front', run);
      const request = new Request(entry!.request.url, { method: 'POST', headers: entry!.request.headers, body: 'y' });
      await one.putBack({ ...entry!, request }, 'front', run);
    });
    const [row] = await all();
    expect(row).toMatchObject({ state: 'pending', outcome: 'never-sent', body: { kind: 'inline', size: 1 } });
    expect(row!.key).not.toBe(key);
  });
});
