import { describe, expect, it } from 'vitest';
import { pause, resume } from '../flow/acts/pause';
import { capture } from '../flow/capture';
import { add } from './line';
import { queueWorld } from './queue-world.fixture';
import { replay } from './replay';
import { reserve, sentByApp } from './reserve';
import { startRun } from './run';
import { take } from './take';

const sentPaths = (sent: readonly { url: string }[]) => sent.map(({ url }) => new URL(url).pathname);

describe('replayRequests', () => {
  it('sends everything in order, and each is delivered by its answer', async () => {
    const { worker, line, all, transport } = queueWorld();
    for (const path of ['/1', '/2', '/3']) await worker().push(path);
    expect(await replay(line)).toBe('empty');
    expect(sentPaths(transport.sent)).toEqual(['/1', '/2', '/3']);
    expect(await all()).toMatchObject([1, 2, 3].map(() => ({ state: 'delivered', answer: { status: 201 } })));
  });

  it('keeps a request whose answer is 500, 408 or 429, and everything behind it; the next replay sends it with its key', async () => {
    for (const status of [500, 408]) {
      const { worker, line, paths, transport } = queueWorld({ server: [{ status }, { status: 201 }] });
      for (const path of ['/1', '/2']) await worker().push(path);
      expect(await replay(line)).toBe('waiting');
      expect(await paths()).toEqual(['/1', '/2']);
      expect(await replay(line)).toBe('empty');
      const [first, again] = transport.sent;
      expect(again).toEqual(first);
      expect(sentPaths(transport.sent)).toEqual(['/1', '/1', '/2']);
    }
  });

  it('sends to any origin, with any method: Workbox has decided what is queued', async () => {
    const { worker, line, transport } = queueWorld();
    const elsewhere = new Request('https://api.elsewhere.example/x', { method: 'PROPFIND' });
    const captured = await capture(elsewhere);
    await add(line, { captured, timestamp: 1_000_000, keepalive: false, attempted: false, syncComes: false }, 'end');
    expect(await replay(worker().line)).toBe('empty');
    expect(transport.sent).toMatchObject([{ url: elsewhere.url, method: 'PROPFIND', headers: [] }]);
  });

  it('sends nothing before the time a server asked for', async () => {
    const { worker, line, transport, system } = queueWorld({
      server: [{ status: 429, headers: { 'retry-after': '60' } }, { status: 201 }],
    });
    await worker().push('/1');
    expect(await replay(line)).toBe('waiting');
    expect(await replay(line)).toBe('waiting');
    expect(transport.sent).toHaveLength(1);
    await system.passMs(600_000);
    expect(await replay(line)).toBe('empty');
  });

  it('puts what is refused into the dead letters and goes on', async () => {
    const { worker, line, all } = queueWorld({ server: [{ status: 422 }, { status: 201 }] });
    for (const path of ['/bad', '/good']) await worker().push(path);
    expect(await replay(line)).toBe('empty');
    expect(await all()).toMatchObject([{ state: 'dead', dead: { reason: 'rejected' } }, { state: 'delivered' }]);
  });

  it('takes any answer for a delivery where the app wants exactly that', async () => {
    for (const status of [500, 401, 404, 503]) {
      const { worker, line, all } = queueWorld({ server: [{ status }], exact: true });
      await worker().push('/1');
      expect(await replay(line)).toBe('empty');
      expect(await all()).toMatchObject([{ state: 'delivered', answer: { status } }]);
    }
  });

  it('stops at the first that reaches no server, and costs it nothing', async () => {
    const { worker, line, paths, all, transport } = queueWorld({ server: [{ status: 201 }, { fail: 'network' }] });
    for (const path of ['/1', '/2', '/3']) await worker().push(path);
    expect(await replay(line)).toBe('waiting');
    expect(sentPaths(transport.sent)).toEqual(['/1', '/2']);
    expect(await paths()).toEqual(['/2', '/3']);
    expect((await all())[1]).toMatchObject({ outcome: 'unknown' });
  });

  it('beside the outbox’s own drain sends each request once', async () => {
    const { worker, line, transport, system } = queueWorld({ server: () => ({ status: 201, afterMs: 50 }) });
    const [one, other] = [worker(), worker()];
    for (let n = 0; n < 6; n += 1) await one.push(`/${n}`);
    await system.passMs(2_000);
    const both = Promise.all([replay(line), one.engine.drain.wake('person'), other.engine.drain.wake('person')]);
    await system.passMs(30_000);
    await both;
    expect(sentPaths(transport.sent)).toEqual([0, 1, 2, 3, 4, 5].map((n) => `/${n}`));
  });

  it('moves what expired to the dead letters, and does not touch another queue', async () => {
    const { worker, line, all, transport, system } = queueWorld();
    const one = worker();
    await one.push('/old');
    await system.passMs(61 * 60_000);
    await one.push('/new');
    expect(await replay({ ...line, queue: 'other' })).toBe('empty');
    expect(transport.sent).toHaveLength(0);
    expect(await replay(line)).toBe('empty');
    expect(await all()).toMatchObject([{ state: 'dead', dead: { reason: 'expired' } }, { state: 'delivered' }]);
  });

  it('leaves what the app has in its hands to the app', async () => {
    const { worker, line, all, transport } = queueWorld();
    const one = worker();
    for (const path of ['/1', '/2']) await one.push(path);
    await startRun(one.line, async (run) => {
      await run.begun;
      const entry = await take(one.line, 'front', run);
      expect(await replay(line)).toBe('empty');
      await one.putBack(entry!, 'front', run);
    });
    expect(sentPaths(transport.sent)).toEqual(['/2']);
    expect(await all()).toMatchObject([{ state: 'pending', head: true }, { state: 'delivered' }]);
  });
});

describe('a queue with an onSync of the app', () => {
  const queues = (ownSync: boolean) => [{ name: 'api', ownSync }];

  it('is drained by nobody else, says why, and is set free when the onSync is gone', async () => {
    const { worker, engine, line, paths, store, transport, system } = queueWorld();
    const one = worker();
    await reserve(one.context, queues(true));
    await one.push('/1');
    await system.passMs(2_000);
    await engine.drain.wake('person');
    expect(transport.sent).toHaveLength(0);
    const gates = await store.transact('read', (rows) => rows.control('gates'));
    expect(gates?.routes['api']).toEqual({ until: null, why: sentByApp });

    await reserve(one.context, queues(false));
    await engine.drain.wake('person');
    expect(transport.sent).toHaveLength(1);
    expect(await paths()).toEqual([]);
    expect(line.queue).toBe('api');
  });

  it('is sent by the app’s own call of replayRequests', async () => {
    const { worker, line, transport } = queueWorld();
    const one = worker();
    await reserve(one.context, queues(true));
    await one.push('/1');
    expect(await replay(line)).toBe('empty');
    expect(transport.sent).toHaveLength(1);
  });

  it('waits like any other while a person has paused it', async () => {
    const { worker, line, transport } = queueWorld();
    const one = worker();
    await one.push('/1');
    await pause(one.context, { route: 'api', why: 'Friday' });
    expect(await replay(line)).toBe('waiting');
    await resume(one.context, { route: 'api' });
    await pause(one.context);
    expect(await replay(line)).toBe('waiting');
    expect(transport.sent).toHaveLength(0);
  });

  it('does not undo a pause that a person has set', async () => {
    const { worker, store } = queueWorld();
    const one = worker();
    await store.transact('strict', async (rows) => {
      const { openGates } = await import('../core/control');
      await rows.putControl('gates', { ...openGates, routes: { api: { until: null, why: 'Friday' } } });
    });
    await reserve(one.context, queues(true));
    await reserve(one.context, queues(false));
    const gates = await store.transact('read', (rows) => rows.control('gates'));
    expect(gates?.routes['api']).toEqual({ until: null, why: 'Friday' });
  });
});
