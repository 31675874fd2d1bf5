import { describe, expect, it } from 'vitest';
import type { OutboxConfig } from '../core/options';
import { rig, type RigOptions } from '../testing/rig';
import { cancel } from './acts/cancel';
import { pause, resume } from './acts/pause';
import { closeDead, replay } from './acts/triage';

const two: OutboxConfig = {
  routes: [
    { name: 'docs', match: '/docs/:id', lane: 'doc-:id' },
    { name: 'both', match: /\/both\/\w+$/ },
  ],
  key: { crossOrigin: ['https://api.example'] },
};
const lanes = (options: RigOptions = {}) => {
  const made = rig({ config: two, ...options });
  return { ...made, paths: () => made.transport.sent.map(({ url }) => new URL(url).pathname) };
};

/** A body whose end is a long time coming. */
function slowBody(text: string): { readonly init: RequestInit; finish(): void } {
  let finish = (): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      finish = () => {
        stream.enqueue(new TextEncoder().encode(text));
        stream.close();
      };
    },
  });
  const init: RequestInit & { duplex: 'half' } = { body, duplex: 'half' };
  return { init, finish: () => finish() };
}

describe('a lane', () => {
  it('lets nothing that is queued pass a request on its way, which may have to stand in line yet', async () => {
    const { fetch, add, engine, paths, system } = lanes({
      server: [{ fail: 'network', afterMs: 2_000 }, { status: 201 }],
    });
    const live = fetch('/docs/a', { body: '1' });
    const queued = add('/docs/a', { body: '2' }).then(() => engine.drain.wake('enqueue'));
    await system.passMs(60_000);
    await Promise.all([live, queued]);
    expect(paths()).toHaveLength(3);
  });

  it('keeps the order in which requests were made, whichever body is read first, and holds up no other lane', async () => {
    const { fetch, add, engine, paths, transport, system } = lanes();
    const slow = slowBody('first');
    const made = [fetch('/docs/a', slow.init), fetch('/docs/a', { body: 'second' }), add('/docs/a', { body: 'third' })];
    await fetch('/docs/b');
    expect(paths()).toEqual(['/docs/b']);
    slow.finish();
    await Promise.all(made);
    await engine.drain.wake('enqueue');
    await system.settle();
    const bodies = transport.sent.slice(1).map((sent) => new TextDecoder().decode(sent.body as Uint8Array));
    expect(bodies).toEqual(['first', 'second', 'third']);
  });

  it('has its places taken when a request is made, not when its body has been read, also without a live attempt', async () => {
    const { fetch, add, all } = lanes({ server: [{ fail: 'network' }] });
    const slow = slowBody('first');
    const made = [add('/docs/a', slow.init), add('/docs/a', { body: 'second' }), fetch('/docs/a', { body: 'third' })];
    await add('/docs/b', { body: 'another' });
    slow.finish();
    await Promise.all(made);
    const stored = (await all()).map(({ body }) =>
      body.kind === 'inline' ? new TextDecoder().decode(body.bytes) : '',
    );
    expect(stored).toEqual(['another', 'first', 'second', 'third']);
  });

  it('goes on after a request whose body cannot be read', async () => {
    const { fetch, paths } = lanes();
    const body = new ReadableStream({ start: (stream) => stream.error(new Error('the file is gone')) });
    const broken: RequestInit & { duplex: 'half' } = { body, duplex: 'half' };
    const [first, second] = await Promise.allSettled([fetch('/docs/a', broken), fetch('/docs/a')]);
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'not-storable' } });
    expect(second).toMatchObject({ status: 'fulfilled', value: { kind: 'answered' } });
    expect(paths()).toHaveLength(1);
  });

  it('has a head again when several of its first die at once', async () => {
    const { add, engine, all, system } = lanes();
    const soon = { notBefore: system.now() + 60_000, expiresInMs: 5_000 };
    await add('/docs/a', {}, soon);
    await add('/docs/a', {}, soon);
    await add('/docs/a');
    void engine.drain.wake('start');
    await system.passMs(10_000);
    expect((await all()).map((entry) => entry.state)).toEqual(['dead', 'dead', 'delivered']);
  });

  it('has a head again when a newer write replaces several of its first', async () => {
    const { add, all } = lanes();
    for (const _ of [1, 2, 3]) await add('/docs/a', {}, { supersede: { key: 'x', mode: 'keep-latest' } });
    await add('/docs/a');
    expect((await all()).map(({ head }) => head)).toEqual([false, false, true, false]);
  });

  it('has one head when a dead letter comes back before one that is on its way', async () => {
    const { add, engine, all, context, system } = lanes({
      server: (_, nth) => (nth === 1 ? { status: 422 } : { status: 201, afterMs: 5_000 }),
    });
    const first = await add('/docs/a');
    for (const _ of [2, 3, 4]) await add('/docs/a');
    void engine.drain.wake('start');
    await system.settle();
    expect((await all()).map((entry) => entry.state)).toEqual(['dead', 'sending', 'sending', 'pending']);
    await replay(context, first.id);

    for (const _ of [1, 2, 3]) {
      await system.passMs(5_000);
      const heads = (await all()).filter((entry) => entry.head);
      expect(heads.length).toBeLessThan(2);
    }
    await system.passMs(60_000);
    expect((await all()).every((entry) => entry.state === 'delivered')).toBe(true);
  });

  it('that holds on its dead sends nothing behind it in the same go', async () => {
    const { add, engine, all, paths } = lanes({
      config: { routes: [{ name: 'docs', match: '/docs/:id', laneOnDead: 'hold-lane' }] },
      server: (request) => (request.url.endsWith('bad') ? { status: 422 } : { status: 201 }),
    });
    // The first ones are answered at once, so several go in one parcel.
    for (const name of ['a', 'b', 'c', 'bad', 'd', 'e']) await add(`/docs/${name}`);
    await engine.drain.wake('start');
    expect(paths()).toEqual(['/docs/a', '/docs/b', '/docs/c', '/docs/bad']);
    expect((await all()).map((entry) => entry.state).slice(4)).toEqual(['pending', 'pending']);
  });

  it('asks each origin on its own, also when its requests go to two', async () => {
    const { add, engine, system, transport } = lanes({
      server: (request) =>
        request.url.startsWith('https://api') ? { status: 503, headers: { 'retry-after': '600' } } : { status: 201 },
    });
    const toApi = () => transport.sent.filter(({ url }) => url.startsWith('https://api'));
    await add('https://api.example/both/a', {}, { lane: null });
    await engine.drain.wake('start');
    expect(toApi()).toHaveLength(1);
    for (const url of ['/both/b', '/both/c', '/both/d', 'https://api.example/both/e']) await add(url);
    void engine.drain.wake('enqueue');
    await system.passMs(10_000);
    expect(transport.sent).toHaveLength(4);
    expect(toApi()).toHaveLength(1);
  });

  it('paused for a time wakes by itself, and holds nobody else up', async () => {
    const { add, engine, context, all, system } = lanes({ config: { ...two, concurrency: 1 } });
    for (const lane of ['a', 'b']) {
      await pause(context, { lane: `doc-${lane}`, until: system.now() + 600_000 });
      await add(`/docs/${lane}`);
    }
    await add('/docs/c');
    await engine.drain.wake('enqueue');
    expect((await all()).map((entry) => entry.state)).toEqual(['pending', 'pending', 'delivered']);
    expect(engine.drain.nextAt()).toBe(system.now() + 600_000);
    await system.passMs(601_000);
    expect((await all()).every((entry) => entry.state === 'delivered')).toBe(true);
  });

  it('goes by its newest pause, also when that is the shorter', async () => {
    const { add, engine, context, all, system } = lanes();
    await add('/docs/a');
    await pause(context, { lane: 'doc-a' });
    await engine.drain.wake('enqueue');
    await pause(context, { lane: 'doc-a', until: system.now() + 10_000 });
    void engine.drain.wake('person');
    await system.passMs(11_000);
    expect(await all()).toMatchObject([{ state: 'delivered' }]);
  });

  it('takes no request whose stored live attempt was overtaken by somebody getting in line', async () => {
    const { fetch, tab, all, store } = lanes({
      config: { routes: [{ name: 'docs', match: '/docs/:id', capture: 'write-ahead' }] },
    });
    // The other tab's request is stored between the look at the line and the row of this one.
    const other = tab();
    const real = store.transact.bind(store);
    let looks = 0;
    store.transact = async (durability, work) => {
      const value = await real(durability, work);
      if (durability === 'read' && (looks += 1) === 1) {
        store.transact = real;
        await other.add('/docs/a');
      }
      return value;
    };
    const result = await fetch('/docs/a');
    expect(result).toMatchObject({ kind: 'queued' });
    expect(await all()).toMatchObject([
      { state: 'pending', head: true },
      { state: 'pending', head: false },
    ]);
  });
});

describe('what depends on a request', () => {
  it('cannot wait for one that was closed without an answer', async () => {
    const { add, context } = lanes();
    const parent = await add('/docs/a');
    await cancel(context, parent.id);
    await expect(add('/docs/b', {}, { dependsOn: [parent.id] })).rejects.toMatchObject({ code: 'dependency-failed' });
  });

  it('can wait for one that is dead and may be sent again', async () => {
    const { add, context, engine, all, transport } = lanes({ server: [{ status: 422 }] });
    const parent = await add('/docs/a');
    await engine.drain.wake('start');
    await add('/docs/b', {}, { dependsOn: [parent.id] });
    transport.answer([{ status: 201 }]);
    await replay(context, parent.id);
    await engine.drain.wake('person');
    expect(await all()).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
  });

  it('dies with the one it waits for when that is closed', async () => {
    const { add, context, engine, all } = lanes({ server: [{ status: 422 }] });
    const parent = await add('/docs/a');
    await engine.drain.wake('start');
    await add('/docs/b', {}, { dependsOn: [parent.id] });
    await closeDead(context, parent.id, 'not needed');
    expect(await all()).toMatchObject([{}, { state: 'dead', dead: { reason: 'unresolved', triage: 'open' } }]);
  });

  it('is never replaced by its own child', async () => {
    const { add, all } = lanes();
    const supersede = { key: 'x', mode: 'keep-latest' } as const;
    const parent = await add('/docs/a', {}, { supersede });
    await add('/docs/a', {}, { supersede, dependsOn: [parent.id] });
    expect(await all()).toMatchObject([
      { state: 'pending', head: true },
      { state: 'pending', waitsFor: [parent.id] },
    ]);
  });
});

describe('making room', () => {
  it('leaves no lane without a head when the new one depends on the next of that lane', async () => {
    const { add, all } = lanes({ config: { ...two, limits: { entries: 2, onFull: 'drop-oldest' } } });
    await add('/docs/a');
    const second = await add('/docs/a');
    await add('/docs/b', {}, { dependsOn: [second.id] });
    expect(await all()).toMatchObject([
      { state: 'dead', dead: { reason: 'dropped' } },
      { state: 'pending', head: true, children: [expect.any(String)] },
      { state: 'pending', head: true, waitsFor: [second.id] },
    ]);
  });
});

describe('a pause', () => {
  it('is told to the other tabs, and so is its end', async () => {
    const { context, tab, system } = lanes();
    const heard: unknown[] = [];
    tab().context.channel.subscribe((message) => heard.push(message));
    await pause(context, {});
    await resume(context, {});
    await system.settle();
    expect(heard).toMatchObject([{ type: 'changed' }, { type: 'changed' }]);
  });
});

describe('a clock that is turned back by days', () => {
  it('keeps nobody waiting behind the paused lane of another', async () => {
    const { add, all, context, engine, system } = lanes();
    const today = 1_800_000_000_000;
    system.setClock(today);
    await pause(context, { lane: 'doc-a' });
    await add('/docs/a');
    await add('/docs/b');
    system.setClock(today - 3 * 86_400_000);
    void engine.drain.wake('start');
    await system.passMs(10_000);
    expect((await all()).map((entry) => entry.state)).toEqual(['pending', 'delivered']);
  });
});
