import { describe, expect, it } from 'vitest';
import { OutboxError } from '../core/errors';
import type { Json } from '../core/entry';
import { importEntries, type ExportFile } from '../flow/acts/transfer';
import { whoIsSignedIn } from '../flow/subject';
import type { Store } from '../ports';
import { rig, type RigOptions, type RigTab } from '../testing/rig';
import { createFeed } from './feed';
import { identityActs } from './identity';
import { createReader } from './read';
import { whenIdle } from './settled';

const status = {
  durability: 'durable',
  persisted: 'unknown',
  sender: 'page',
  protected: false,
  backgroundSync: false,
  limits: [],
} as const;

/** The acts as a page has them, over a rig. */
function acts({ context, engine }: RigTab) {
  const feed = createFeed(context, () => status);
  return identityActs({
    context,
    reader: createReader(context),
    wake: () => void engine.drain.wake('person'),
    refresh: () => feed.refresh(),
    whenIdle: () => whenIdle(context, feed),
  });
}

function page(options: RigOptions = {}) {
  const made = rig(options);
  return { ...made, ...acts(made) };
}

describe('whoever signs out with work unsent', () => {
  it('is told how much waits and how much needs attention, of his own only', async () => {
    let who = 'ann';
    const { add, engine, beforeSignOut } = page({
      subject: () => who,
      server: ({ url }) => ({ status: url.endsWith('/refused') ? 422 : 503 }),
    });
    await add('/refused');
    await add('/a');
    await add('/b');
    await engine.drain.wake('start');
    expect(await beforeSignOut()).toMatchObject({ pending: 2, dead: 1 });
    who = 'bob';
    expect(await beforeSignOut()).toMatchObject({ pending: 0, dead: 0 });
  });

  it('can keep it: it is held for him, and goes out when he is back', async () => {
    let up = false;
    const { add, context, engine, all, transport, system, setSubject, beforeSignOut } = page({
      server: () => ({ status: up ? 201 : 503 }),
    });
    const asked = { ...context, subject: async () => (await known())?.id ?? null };
    const known = () => context.store.transact('read', (rows) => rows.control('subject'));
    Object.assign(context, { subject: asked.subject, recentSubject: asked.subject });
    await setSubject('ann');
    await add('/a');
    const leaving = await beforeSignOut();
    await leaving.keep();
    expect(await known()).toMatchObject({ id: null });
    up = true;
    const before = transport.sent.length;
    void engine.drain.wake('person');
    await system.passMs(3_600_000);
    expect(transport.sent.length).toBe(before);
    expect(await all()).toMatchObject([{ state: 'pending', subject: 'ann' }]);
    await setSubject('ann');
    await system.passMs(3_600_000);
    expect(await all()).toMatchObject([{ state: 'delivered' }]);
  });

  it('can send it now, and hears what is left when the server does not answer in time', async () => {
    const { add, system, beforeSignOut, transport } = page({
      server: ({ url }) => ({ status: 201, afterMs: url.endsWith('/slow') ? 25_000 : 10 }),
    });
    for (const path of ['/a', '/b', '/slow']) await add(path);
    const leaving = await beforeSignOut();
    let left: number | undefined;
    void leaving.sendNow().then((count) => (left = count));
    await system.passMs(9_000);
    expect(left).toBeUndefined();
    await system.passMs(2_000);
    expect(left).toBe(1);
    expect(transport.sent).toHaveLength(3);
  });

  it('can throw it away, which is on record', async () => {
    const { add, all, logs, transport, system, engine, beforeSignOut } = page();
    await add('/a');
    await add('/b');
    expect(await (await beforeSignOut()).discard()).toBe(2);
    expect(await all()).toMatchObject([
      { state: 'dead', dead: { reason: 'cancelled' } },
      { state: 'dead', dead: { reason: 'cancelled' } },
    ]);
    expect(logs).toContainEqual(expect.objectContaining({ event: 'cancel', reason: 'sign-out' }));
    void engine.drain.wake('person');
    await system.passMs(3_600_000);
    expect(transport.sent).toEqual([]);
  });

  it('can take it along in a file, with what cannot be read any more named and the rest whole', async () => {
    const { add, all, store, beforeSignOut } = page();
    const good = await add('/a', { body: 'good', headers: { authorization: 'Bearer planted' } });
    const lost = await add('/b', { body: 'x'.repeat(9_000) });
    await store.transact('strict', (rows) => rows.removeBody(lost.seq));
    const file = (await (await beforeSignOut()).export()) as unknown as ExportFile;
    expect(file.entries.map(({ entry, body }) => [entry.key, body !== undefined])).toEqual([
      [good.key, true],
      [lost.key, false],
    ]);
    expect(file.entries[1]?.unreadable).toContain('its body are gone');
    expect(JSON.stringify(file)).not.toContain('planted');

    const elsewhere = rig();
    await importEntries(elsewhere.context, JSON.parse(JSON.stringify(file)) as Json);
    await elsewhere.engine.drain.wake('start');
    expect((await elsewhere.all()).map(({ key }) => key)).toEqual((await all()).map(({ key }) => key));
    expect(await elsewhere.all()).toMatchObject([{ state: 'delivered' }, { dead: { reason: 'unreadable' } }]);
    expect(elsewhere.transport.sent).toHaveLength(1);
  });
});

describe('signing out anyway', () => {
  it('works while a request is on its way that never ends', async () => {
    const { add, engine, system, beforeSignOut, all } = page({ server: [{ afterMs: 1e9, status: 201 }] });
    await add('/a');
    void engine.drain.wake('start');
    await system.passMs(100);
    const leaving = await beforeSignOut();
    expect(leaving.pending).toBe(1);
    await leaving.keep();
    expect(await all()).toMatchObject([{ state: 'sending' }]);
  });

  it('works when the store does not: what is unknown is said to be', async () => {
    const { add, context, system, beforeSignOut } = page();
    await add('/a');
    const broken = () => Promise.reject(new OutboxError('storage-unavailable', 'the disk is gone'));
    Object.assign(context.store, { transact: broken });
    const leaving = await beforeSignOut();
    expect(leaving).toMatchObject({ pending: 0, dead: 0, problem: { code: 'storage-unavailable' } });
    await leaving.keep();
    const sent = leaving.sendNow(1_000);
    await system.passMs(1_000);
    expect(await sent).toBe(0);
    await expect(leaving.discard()).rejects.toMatchObject({ code: 'storage-unavailable' });
  });
});

describe('whoever signs in while the requests of another are being sent', () => {
  it('is asked for before the next one leaves, from the moment it is written', async () => {
    const made = rig({
      config: { routes: [{ name: 'api', match: '/*', lane: 'all' }] },
      server: () => ({ status: 201, afterMs: 2 }),
    });
    const page = made.tab();
    const { transact } = made.store;
    let writtenAt = Infinity;
    const pass = (ms: number) => new Promise<void>((resolve) => void made.system.timer(ms, resolve));
    // A disk takes its time before a commit and after it.
    const slow: Store = {
      ...made.store,
      async transact(durability, work) {
        const result = await transact(durability, async (rows) => {
          const value = await work(rows);
          await pass(3);
          return value;
        });
        if (durability === 'strict') writtenAt = made.system.now();
        await pass(20);
        return result;
      },
    };
    for (const context of [made.context, page.context]) Object.assign(context, whoIsSignedIn(context.config, context));
    await made.store.transact('strict', (rows) => rows.putControl('subject', { id: 'ann', at: 0 }));
    for (let nth = 0; nth < 200; nth += 1) await made.add(`/${nth}`);
    const leftAt: number[] = [];
    const send = made.context.transport.send.bind(made.context.transport);
    Object.assign(made.context, {
      transport: {
        ...made.context.transport,
        send: (...args: Parameters<typeof send>) => (leftAt.push(made.system.now()), send(...args)),
      },
    });
    void made.engine.drain.wake('start');
    while (leftAt.length < 60) await made.system.passMs(2);
    Object.assign(page.context, { store: slow });
    const { setSubject } = acts({ ...made, ...page });
    const signing = setSubject('bob');
    await made.system.passMs(1_000);
    await signing;
    expect(leftAt.filter((at) => at > writtenAt)).toEqual([]);
    expect(leftAt.length).toBeLessThan(200);
  });
});
