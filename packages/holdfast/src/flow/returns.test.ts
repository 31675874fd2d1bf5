import { describe, expect, it } from 'vitest';
import { rig, rigOrigin, type Rig, type RigTab } from '../testing/rig';
import { capture, partsOf } from './capture';
import { factsOf } from './intent';

const inLane = { routes: [{ name: 'notes', match: '/notes/:nth', lane: 'notes' }] };

/** A page's fetch as a run of the worker catches it. */
function caught({ engine, context }: RigTab, run: string, nth: number, open = true): Promise<unknown> {
  const request = new Request(`${rigOrigin}/notes/${nth}`, { method: 'POST', body: String(nth) });
  const found = context.config.route(factsOf(partsOf(request)), rigOrigin)!;
  const caughtBy = { clientId: 'page', run, isOpen: () => Promise.resolve(open) };
  const answered = new Promise<void>(() => undefined);
  return engine.live({ captured: capture(request), ...found, call: {}, caughtBy, answered });
}

/** A worker that has begun with these, and is killed: the server never sees them. */
async function killed(...begun: readonly number[]): Promise<Rig> {
  let dead = true;
  const made = rig({
    config: inLane,
    server: () => (dead ? { fail: 'silence' } : { status: 201, afterMs: 20 }),
  });
  for (const nth of begun) void caught(made, 'killed', nth);
  await made.system.passMs(10);
  made.fake.kill();
  (made.transport.sent as unknown[]).length = 0;
  dead = false;
  return made;
}

const sent = ({ transport }: Rig) => transport.sent.map(({ url }) => Number(url.split('/').at(-1)));

describe('fetches that the engine dispatches again to the next run of a killed worker', () => {
  it('go before a newer one of their lane that is dispatched before them', async () => {
    const made = await killed(1);
    const next = made.tab();
    void caught(next, 'next', 2);
    await made.system.passMs(50);
    void caught(next, 'next', 1);
    await made.system.passMs(200);
    expect(sent(made)).toEqual([1, 2]);
  });

  it('go in the order in which they were made, in whatever order they come', async () => {
    const made = await killed(1, 2, 3);
    const next = made.tab();
    for (const nth of [4, 3, 1, 2, 5]) void caught(next, 'next', nth);
    await made.system.passMs(2_000);
    expect(sent(made)).toEqual([1, 2, 3, 4, 5]);
  });

  it('are known in the order in which they were made, however long the first took to be read', async () => {
    const made = rig({ config: inLane, server: () => ({ fail: 'silence' }) });
    const slow = new Request(`${rigOrigin}/notes/1`, { method: 'POST', body: '1' });
    const found = made.context.config.route(factsOf(partsOf(slow)), rigOrigin)!;
    const read = capture(slow);
    const late = new Promise<Awaited<typeof read>>((resolve) => made.system.timer(100, () => resolve(read)));
    const caughtBy = { clientId: 'page', run: 'killed' };
    const answered = new Promise<void>(() => undefined);
    void made.engine.live({ captured: late, ...found, call: {}, caughtBy, answered });
    void caught(made, 'killed', 2);
    const known = async () => (await made.store.transact('read', (rows) => rows.journal())).length;
    await made.system.passMs(50);
    expect(await known()).toBe(0);
    await made.system.passMs(100);
    expect(await known()).toBe(2);
  });

  it('are waited for a second, and no longer', async () => {
    const made = await killed(1);
    const next = made.tab();
    void caught(next, 'next', 2);
    await made.system.passMs(900);
    expect(sent(made)).toEqual([]);
    await made.system.passMs(200);
    expect(sent(made)).toEqual([2]);
    void caught(next, 'next', 3);
    await made.system.passMs(50);
    expect(sent(made)).toEqual([2, 3]);
  });

  it('get in line like new ones when nobody waits for them any more', async () => {
    const made = await killed(1);
    const next = made.tab();
    void caught(next, 'next', 2);
    await made.system.passMs(1_005);
    // On its way, and nothing of its lane may go beside it.
    expect(sent(made)).toEqual([2]);
    void caught(next, 'next', 3);
    void caught(next, 'next', 1);
    await made.system.passMs(200);
    expect(sent(made)).toEqual([2, 3, 1]);
  });

  it('are not waited for when their page is gone', async () => {
    const made = await killed(1);
    void caught(made.tab(), 'next', 2, false);
    await made.system.passMs(50);
    expect(sent(made)).toEqual([2]);
  });
});
