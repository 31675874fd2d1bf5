import { describe, expect, it } from 'vitest';
import type { Entry } from '../core/entry';
import type { OutboxConfig } from '../core/options';
import type { Rows } from '../ports';
import type { FakeServer } from '../testing/fake-transport';
import { memoryStore } from '../testing/memory-store';
import { rig, type Rig } from '../testing/rig';
import { pause } from './acts/pause';
import { replay } from './acts/triage';
import { change } from './ledger';
import { topUp } from './parcel';

const ordered: OutboxConfig = { routes: [{ name: 'api', match: '/*', lane: 'all' }] };
const free: OutboxConfig = { routes: [{ name: 'api', match: '/*', lane: null }] };
const quick = () => ({ status: 201, afterMs: 2 });

const fill = (made: Rig, count: number, from = 0) =>
  Promise.all(Array.from({ length: count }, (_, nth) => made.add(`/${from + nth}`)));
const paths = (made: Rig) => made.transport.sent.map(({ url }) => Number(new URL(url).pathname.slice(1)));
const inOrder = (count: number) => Array.from({ length: count }, (_, nth) => nth);

/** Counts how often the drain stops for a claim. */
function counted(config: OutboxConfig, server: FakeServer): Rig & { claims(): number } {
  const store = memoryStore();
  let claims = 0;
  // Only a claim asks that.
  const asking = (rows: Rows): Rows => ({ ...rows, nextExpiry: () => ((claims += 1), rows.nextExpiry()) });
  const made = rig({
    config,
    server,
    store: {
      ...store,
      transact: (durability, work) => store.transact(durability, (rows) => work(asking(rows))),
    },
  });
  return { ...made, claims: () => claims };
}

describe('a slot that gets on well', () => {
  it.each([
    ['one lane', ordered],
    ['no order', free],
  ])('goes on without stopping for a claim, in %s', async (_, config) => {
    const made = counted({ ...config, concurrency: 1 }, quick);
    await fill(made, 200);
    void made.engine.drain.wake('start');
    await made.system.passMs(5_000);
    expect(paths(made)).toEqual(inOrder(200));
    // One by one, then 2, 4, 8, 16, and then as long as half a second lasts.
    expect(made.claims()).toBeLessThan(12);
  });

  it('takes no more on top of a claim when nothing but refusals comes', async () => {
    const made = counted({ ...free, concurrency: 1 }, (request) => ({
      status: Number(request.url.split('/').at(-1)) >= 24 ? 422 : 201,
      afterMs: 2,
    }));
    await fill(made, 200);
    void made.engine.drain.wake('start');
    await made.system.passMs(5_000);
    expect(paths(made)).toHaveLength(200);
    // Sixteen at once are the most that a claim gives.
    expect(made.claims()).toBeGreaterThan((200 - 24) / 16);
  });

  it('lets go after half a second, so that what is more urgent has its turn', async () => {
    const config = { concurrency: 1, routes: [{ name: 'api', match: '/:lane/*', lane: ':lane' }] };
    const made = rig({ config, server: quick });
    for (let nth = 0; nth < 1_000; nth += 1) await made.add(`/long/${nth}`);
    void made.engine.drain.wake('start');
    while (made.transport.sent.length < 60) await made.system.passMs(2);
    await made.add('/short/0', {}, { priority: 0 });
    void made.engine.drain.wake('enqueue');
    await made.system.passMs(60_000);
    expect(made.transport.sent).toHaveLength(1_001);
    const turn = made.transport.sent.findIndex(({ url }) => url.endsWith('/short/0'));
    expect(turn).toBeLessThan(400);
  });

  it('takes no more of a lane that was paused meanwhile', async () => {
    const made = rig({ config: ordered, server: quick });
    await fill(made, 200);
    void made.engine.drain.wake('start');
    while (made.transport.sent.length < 60) await made.system.passMs(2);
    await pause(made.context, { lane: 'all' });
    const before = made.transport.sent.length;
    await made.system.passMs(5_000);
    // What was claimed already goes.
    expect(made.transport.sent.length - before).toBeLessThan(25);
    expect((await made.all()).filter(({ state }) => state === 'sending')).toEqual([]);
  });

  it('stops for one that comes back into its line', async () => {
    const made = rig({
      config: ordered,
      server: ({ url }, nth) => ({ status: url.endsWith('/0') && nth < 5 ? 422 : 201, afterMs: 2 }),
    });
    await fill(made, 200);
    void made.engine.drain.wake('start');
    while (made.transport.sent.length < 60) await made.system.passMs(2);
    const [first] = await made.all();
    await replay(made.context, first?.id ?? '');
    const before = made.transport.sent.length;
    await made.system.passMs(5_000);
    const again = paths(made).lastIndexOf(0);
    expect(again).toBeGreaterThan(before - 1);
    expect(again - before).toBeLessThan(25);
    expect(paths(made)).toHaveLength(201);
  });

  it('takes nothing behind what somebody else has taken over', async () => {
    const made = rig({ config: ordered, server: quick });
    const other = made.tab();
    await fill(made, 120);
    void made.engine.drain.wake('start');
    while (made.transport.sent.length < 40) await made.system.passMs(2);
    made.network.steal('drain');
    void other.engine.drain.wake('start');
    await made.system.passMs(400_000);
    expect((await made.all()).every(({ state }) => state === 'delivered')).toBe(true);
    const firsts = paths(made).filter((path, at, all) => all.indexOf(path) === at);
    expect(firsts).toEqual(inOrder(120));
  });

  it('has no line any more when its last row is not its own', async () => {
    const made = rig({ config: ordered });
    await fill(made, 3);
    const [first] = await made.all();
    const lease = { owner: 'somebody', token: 7, until: made.system.now() + 60_000 };
    const last: Entry = { ...first!, state: 'sending', lease };
    const taken = await change(made.store, 'strict', (ledger) =>
      topUp(ledger, made.context, { subject: '', last, size: 8 }),
    );
    expect(taken.value).toEqual([]);
  });
});
