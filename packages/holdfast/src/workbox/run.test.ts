import { describe, expect, it } from 'vitest';
import { change } from '../flow/ledger';
import type { QueueEntry } from './hand-out';
import { queueWorld, type QueueWorker } from './queue-world.fixture';
import { startRun, type Run } from './run';
import { take } from './take';

const never = () => new Promise<never>(() => undefined);

/** What an `onSync` of an app sees: the queue's own methods, within its run. */
function onSync(worker: QueueWorker, work: (queue: ReturnType<typeof methods>) => Promise<void>): Promise<void> {
  return startRun(worker.line, (run) => work(methods(worker, run)));
}

function methods(worker: QueueWorker, run: Run) {
  const from = async (end: 'front' | 'end') => {
    await run.begun;
    return take(worker.line, end, run);
  };
  return {
    shift: () => from('front'),
    pop: () => from('end'),
    unshift: (entry: QueueEntry) => worker.putBack(entry, 'front', run),
    push: (entry: QueueEntry) => worker.putBack(entry, 'end', run),
  };
}

/** Sends a request, as far as the request can tell. */
const send = (entry: QueueEntry | undefined) => entry?.request.clone().text() ?? Promise.reject(new Error('no entry'));

describe("an app's onSync", () => {
  it('has sent what it took and did not put back: it counts as delivered, unverified', async () => {
    const { worker, all } = queueWorld();
    const one = worker();
    await one.push('/1');
    await one.push('/2');
    await onSync(one, async (queue) => {
      for (let entry; (entry = await queue.shift());) await send(entry);
    });
    expect(await all()).toMatchObject([1, 2].map(() => ({ state: 'delivered', verified: false, outcome: 'answered' })));
  });

  it('gets each request with its bytes, its metadata and, on its own origin, its key', async () => {
    const { worker } = queueWorld();
    const one = worker();
    const { key, createdAt } = await one.push('/1', { headers: { 'x-a': 'b' } }, { note: 5 });
    await onSync(one, async (queue) => {
      const entry = await queue.shift();
      expect(entry).toMatchObject({ timestamp: createdAt, metadata: { note: 5 } });
      expect(entry!.request.headers.get('idempotency-key')).toBe(`"${key}"`);
      expect(entry!.request.headers.get('x-a')).toBe('b');
      expect(await entry!.request.text()).toBe('/1');
    });
  });

  it('that dies with a request in hand leaves it in the queue, first, with its key, and nobody knows whether it arrived', async () => {
    const { worker, all } = queueWorld();
    const dying = worker();
    await dying.push('/1');
    await dying.push('/2');
    let key: string | null | undefined;
    await new Promise<void>((died) => {
      void onSync(dying, async (queue) => {
        const entry = await queue.shift();
        key = entry?.request.headers.get('idempotency-key');
        await send(entry);
        dying.fake.kill();
        died();
        return never();
      });
    });
    const next = worker();
    const seen: (string | null)[] = [];
    expect((await all())[0]).toMatchObject({ state: 'sending', lease: { owner: dying.context.owner } });
    await onSync(next, async (queue) => {
      for (let entry; (entry = await queue.shift());) {
        seen.push(await send(entry), entry.request.headers.get('idempotency-key'));
      }
    });
    expect(seen.slice(0, 3)).toEqual(['/1', key, '/2']);
    expect(await all()).toMatchObject([
      { state: 'delivered', tries: 2 },
      { state: 'delivered', tries: 1 },
    ]);
  });

  it('that dies after it went on to the next one does not send the first again', async () => {
    const { worker, all } = queueWorld();
    const dying = worker();
    for (const path of ['/1', '/2', '/3']) await dying.push(path);
    await new Promise<void>((died) => {
      void onSync(dying, async (queue) => {
        await send(await queue.shift());
        await send(await queue.shift());
        dying.fake.kill();
        died();
        return never();
      });
    });
    const seen: string[] = [];
    await onSync(worker(), async (queue) => {
      for (let entry; (entry = await queue.shift());) seen.push(await send(entry));
    });
    expect(seen).toEqual(['/2', '/3']);
    expect(await all()).toMatchObject([1, 2, 1].map((tries) => ({ state: 'delivered', verified: false, tries })));
  });

  it('that takes everything before it sends any loses nothing when it dies', async () => {
    const { worker } = queueWorld();
    const dying = worker();
    for (const path of ['/1', '/2', '/3']) await dying.push(path);
    await new Promise<void>((died) => {
      void onSync(dying, async (queue) => {
        while (await queue.shift());
        dying.fake.kill();
        died();
        return never();
      });
    });
    const seen: string[] = [];
    await onSync(worker(), async (queue) => {
      for (let entry; (entry = await queue.shift());) seen.push(await send(entry));
    });
    expect(seen).toEqual(['/1', '/2', '/3']);
  });

  it('puts a request back where it stood, also when several fail at once, with what it noted on it', async () => {
    const { worker, all, paths, system } = queueWorld();
    const one = worker();
    for (const path of ['/1', '/2', '/3']) await one.push(path, {}, { tries: 0 });
    const before = await all();
    await onSync(one, async (queue) => {
      const [a, b] = [await queue.shift(), await queue.shift()];
      await Promise.all([send(a), send(b)]);
      await queue.unshift({ ...a!, metadata: { tries: 1 } });
      await queue.unshift(b!);
      throw new TypeError('Failed to fetch');
    }).catch(() => undefined);
    expect(await paths()).toEqual(['/1', '/2', '/3']);
    const after = await all();
    expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
    expect(after).toMatchObject([
      { outcome: 'unknown', meta: { tries: 1 }, head: true, dueAt: system.now() },
      { outcome: 'unknown', meta: { tries: 0 }, head: false },
      { outcome: 'never-sent', head: false },
    ]);
  });

  it('can push a request back to the end: still one request, with its key', async () => {
    const { worker, all, paths } = queueWorld();
    const one = worker();
    const { key } = await one.push('/1', { body: 'x'.repeat(9_000) });
    await one.push('/2');
    await onSync(one, async (queue) => void (await queue.push((await queue.shift())!)));
    expect(await paths()).toEqual(['/2', '/1']);
    const rows = await all();
    expect(rows).toMatchObject([{ head: true }, { head: false, key, body: { kind: 'apart', size: 9_000 } }]);
    expect(await one.context.loadBody(rows[1]!)).toMatchObject({ byteLength: 9_000 });
  });

  it('that fails without putting back what it had in hand leaves it to a person; what it went past is done', async () => {
    const { worker, all } = queueWorld();
    const one = worker();
    for (const path of ['/1', '/2', '/3']) await one.push(path);
    const failing = onSync(one, async (queue) => {
      await send(await queue.shift());
      await send(await queue.shift());
      throw new Error('server said no');
    });
    await expect(failing).rejects.toThrow('server said no');
    expect(await all()).toMatchObject([
      { state: 'delivered', verified: false },
      { state: 'dead', dead: { reason: 'held', triage: 'open' }, body: { size: 2 } },
      { state: 'pending', head: true },
    ]);
  });

  it('may skip a request: that is on record as its own act, not as a delivery', async () => {
    const { worker, all } = queueWorld();
    const one = worker();
    await one.push('/stale');
    await onSync(one, async (queue) => void (await queue.shift()));
    expect(await all()).toMatchObject([{ state: 'dead', dead: { reason: 'cancelled', triage: 'closed' } }]);
  });

  it('sends requests without a body too, which leave no trace of it', async () => {
    const { worker, all } = queueWorld();
    const one = worker();
    await one.push('/1', { method: 'DELETE', body: null });
    await onSync(one, async (queue) => void (await queue.shift()));
    expect(await all()).toMatchObject([{ state: 'delivered', verified: false }]);
  });

  it('takes the last one by pop, and never one that another run has', async () => {
    const { worker } = queueWorld();
    const one = worker();
    for (const path of ['/1', '/2', '/3']) await one.push(path);
    const order: string[] = [];
    const runs = [one, worker()].map((each, at) =>
      onSync(each, async (queue) => {
        order.push(`run ${at + 1}`);
        for (let entry; (entry = await queue.pop());) order.push(await send(entry));
        order.push(`end of ${at + 1}`);
      }),
    );
    await Promise.all(runs);
    // Both were called at once; the second found nothing left.
    expect(order).toEqual(['run 1', 'run 2', '/3', '/2', '/1', 'end of 1', 'end of 2']);
  });

  it('keeps what it has for as long as it runs, whoever else looks at the queue', async () => {
    const { worker, all, system, transport } = queueWorld();
    const one = worker();
    await one.push('/1');
    let finish = (): void => undefined;
    const running = onSync(one, async (queue) => {
      await queue.shift();
      await new Promise<void>((resolve) => (finish = resolve));
    });
    await system.settle();
    const stranger = worker();
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await system.passMs(60_000);
      await stranger.engine.drain.wake('person');
    }
    expect(transport.sent).toHaveLength(0);
    expect(await all()).toMatchObject([{ state: 'sending' }]);
    finish();
    await running;
    await stranger.engine.drain.stop();
    expect(system.timers()).toBe(0);
  });

  it('finds what has expired in the dead letters, not in its hands, and is not stopped by what cannot be read', async () => {
    const { worker, all, store, system } = queueWorld();
    const one = worker();
    await one.push('/old');
    await system.passMs(61 * 60_000);
    await one.push('/broken', { body: 'x'.repeat(9_000) });
    await one.push('/good');
    await change(store, 'strict', (ledger) => ledger.rows.removeBody(2));
    const seen: string[] = [];
    await onSync(one, async (queue) => {
      for (let entry; (entry = await queue.shift());) seen.push(await send(entry));
    });
    expect(seen).toEqual(['/good']);
    expect((await all()).map(({ dead }) => dead?.reason)).toEqual(['expired', 'unreadable', undefined]);
  });
});

describe('what the app takes out outside of onSync', () => {
  it('is out for good, and on record', async () => {
    const { worker, all, paths } = queueWorld();
    const one = worker();
    await one.push('/1');
    await one.push('/2');
    expect(await (await take(one.line, 'front'))?.request.text()).toBe('/1');
    expect(await paths()).toEqual(['/2']);
    expect(await all()).toMatchObject([
      { state: 'dead', dead: { reason: 'cancelled', triage: 'closed' }, body: { size: 2 } },
      { state: 'pending', head: true },
    ]);
  });

  it('is given to one, whoever asks at the same time', async () => {
    const { worker } = queueWorld();
    const both = [worker(), worker()];
    for (const path of ['/1', '/2', '/3']) await both[0]!.push(path);
    const taken = await Promise.all(both.map(async (each) => (await take(each.line, 'front'))?.request.text()));
    expect(taken.sort()).toEqual(['/1', '/2']);
  });

  it('can be put back', async () => {
    const { worker, all, paths } = queueWorld();
    const one = worker();
    const { key } = await one.push('/1');
    await one.push('/2');
    const entry = await take(one.line, 'front');
    await one.putBack(entry!);
    expect(await paths()).toEqual(['/1', '/2']);
    expect((await all())[0]).toMatchObject({ key, outcome: 'unknown', head: true });
  });
});
