import { describe, expect, it } from 'vitest';
import { rig, type RigOptions } from '../testing/rig';
import { cancel } from './acts/cancel';
import { closeDead } from './acts/triage';

/** A lane that stops on its dead, on a server that refuses what is bad. */
const made = (options: RigOptions = {}) => {
  const rigged = rig({
    config: { routes: [{ name: 'docs', match: '/*', lane: 'one', laneOnDead: 'hold-lane' }] },
    server: ({ url }) => ({ status: url.endsWith('bad') ? 422 : 201 }),
    ...options,
  });
  return {
    ...rigged,
    became: async () => (await rigged.all()).map(({ state, dead }) => dead?.reason ?? state),
    tally: () => rigged.store.transact('read', async (rows) => (await rows.control('book'))?.tallies?.['']),
  };
};

describe('what ends', () => {
  it('is counted as dead when it failed, in all and on its route, and not when somebody ended it', async () => {
    const { add, context, engine, tally, became } = made();
    await cancel(context, (await add('/a')).id);
    await add('/b', {}, { supersede: { key: 'x', mode: 'keep-latest' } });
    await add('/good', {}, { supersede: { key: 'x', mode: 'keep-latest' } });
    await add('/bad');
    await engine.drain.wake('start');
    expect(await became()).toEqual(['cancelled', 'superseded', 'delivered', 'rejected']);
    expect(await tally()).toMatchObject({
      accepted: 4,
      delivered: 1,
      died: 1,
      byRoute: { docs: { delivered: 1, died: 1, retries: 0 } },
    });
  });

  it('by an act is closed for ever with its reason, and holds up nobody', async () => {
    const { add, context, engine, all, system } = made();
    const { id } = await add('/a');
    await add('/b');
    await cancel(context, id);
    const [cancelled] = await all();
    expect(cancelled).toMatchObject({
      finishedAt: system.now(),
      dead: { triage: 'closed', closedAt: system.now(), resolution: 'cancelled' },
    });
    expect(cancelled).not.toHaveProperty('holdsLane');
    await engine.drain.wake('start');
    expect((await all())[1]).toMatchObject({ state: 'delivered' });
  });

  it('by a failure is open, and holds its lane where that is wanted', async () => {
    const { add, engine, all } = made();
    await add('/bad');
    await add('/b');
    await engine.drain.wake('start');
    const [failed, behind] = await all();
    expect(failed).toMatchObject({ holdsLane: true, head: false, dead: { triage: 'open' } });
    expect(failed?.dead).not.toHaveProperty('closedAt');
    expect(failed?.dead).not.toHaveProperty('resolution');
    expect(behind).toMatchObject({ state: 'pending', head: false });
  });

  it('behind the front of its lane changes nothing for that', async () => {
    const { add, context, all } = made();
    await add('/a');
    await cancel(context, (await add('/b')).id);
    await add('/c');
    expect((await all()).map(({ head }) => head)).toEqual([true, false, false]);
  });
});

describe('who waits for what ended', () => {
  const loose = { config: { routes: [{ name: 'docs', match: '/*', lane: null }] } };

  it('dies too when no answer will come, and so do those that wait for him, once he is closed', async () => {
    const { add, context, became, all } = made(loose);
    const parent = await add('/a');
    const child = await add('/b', {}, { dependsOn: [parent.id] });
    await add('/c', {}, { dependsOn: [child.id] });
    await cancel(context, parent.id);
    expect(await became()).toEqual(['cancelled', 'unresolved', 'pending']);
    expect((await all())[1]).toMatchObject({ dead: { triage: 'open' } });
    await closeDead(context, child.id, 'not needed');
    expect(await became()).toEqual(['cancelled', 'unresolved', 'unresolved']);
  });

  it('goes on waiting while somebody may still send that again', async () => {
    const { add, engine, became } = made(loose);
    const parent = await add('/bad');
    await add('/b', {}, { dependsOn: [parent.id] });
    await engine.drain.wake('start');
    expect(await became()).toEqual(['rejected', 'pending']);
  });

  it('is left as he is when he has ended himself', async () => {
    const { add, context, all, became } = made(loose);
    const parent = await add('/a');
    const child = await add('/b', {}, { dependsOn: [parent.id] });
    await cancel(context, child.id);
    const before = (await all())[1];
    await cancel(context, parent.id);
    expect(await became()).toEqual(['cancelled', 'cancelled']);
    expect((await all())[1]).toEqual(before);
  });

  it('is told the answers of all that were delivered, and goes when the last one is', async () => {
    const { add, engine, all, system } = made(loose);
    const soon = await add('/a');
    const late = await add('/b', {}, { notBefore: system.now() + 60_000 });
    await add('/c', {}, { dependsOn: [soon.id, late.id] });
    void engine.drain.wake('start');
    await system.passMs(1_000);
    expect((await all())[2]).toMatchObject({ state: 'pending', waitsFor: [late.id] });
    await system.passMs(60_000);
    const child = (await all())[2];
    expect(child).toMatchObject({ state: 'delivered' });
    expect(Object.keys(child?.parents ?? {})).toEqual([soon.id, late.id]);
    expect(child).not.toHaveProperty('waitsFor');
  });
});
