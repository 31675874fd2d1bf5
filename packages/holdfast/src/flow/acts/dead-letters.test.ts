import { describe, expect, it } from 'vitest';
import type { OutboxConfig } from '../../core/options';
import type { EntryView } from '../../core/snapshot';
import { rig, type Rig } from '../../testing/rig';
import { cancel } from './cancel';
import { claimDead, closeDead, replay } from './triage';

/** Three of one lane, of which the first was refused, or all were. */
async function refused(more: Partial<OutboxConfig> = {}, laneOnDead: 'hold-lane' | 'continue' = 'continue') {
  const made = rig({
    config: { routes: [{ name: 'docs', match: '/docs/:id', lane: 'one', laneOnDead }], ...more },
    server: [{ status: 422 }, { status: 201 }],
  });
  const { id } = await made.add('/docs/a');
  for (const path of ['/docs/b', '/docs/c']) await made.add(path, {}, { notBefore: made.system.now() + 3_600_000 });
  await made.engine.drain.wake('start');
  return { ...made, id, dead: async () => (await made.all())[0]! };
}

const tally = ({ store }: Rig) => store.transact('read', async (rows) => (await rows.control('book'))?.tallies?.['']);

describe('a dead letter', () => {
  it('is in the hands of whoever claims it, since then, and is told so', async () => {
    const { context, id, dead, system, events, logs } = await refused();
    await system.passMs(5_000);
    const entry = await claimDead(context, id, 'ann');
    expect(entry.dead).toMatchObject({ triage: 'claimed', assignee: 'ann', claimedAt: system.now() });
    expect(entry.dead?.reason).toBe('rejected');
    expect(await dead()).toEqual(entry);
    expect(events.at(-1)).toEqual({ type: 'changed', entry });
    expect(logs.at(-1)).toMatchObject({ event: 'triage', id, route: 'docs', reason: 'claimed' });
  });

  it('is closed with a resolution, and the time in hand is counted', async () => {
    const made = await refused();
    const { context, id, dead, system } = made;
    await claimDead(context, id, 'ann');
    expect(await tally(made)).toMatchObject({ closed: 0 });
    await system.passMs(5_000);
    await closeDead(context, id, 'called them');
    expect((await dead()).dead).toMatchObject({
      triage: 'closed',
      assignee: 'ann',
      closedAt: system.now(),
      resolution: 'called them',
    });
    expect(await tally(made)).toMatchObject({ closed: 1, closeMs: 5_000 });
  });

  it('that is closed twice counts once, and is forgotten no later', async () => {
    const made = await refused();
    const { context, id, dead, system } = made;
    await closeDead(context, id, 'called them');
    const closedAt = system.now();
    await system.passMs(60_000);
    await closeDead(context, id, 'they called back');
    expect((await dead()).dead).toMatchObject({ triage: 'closed', closedAt, resolution: 'they called back' });
    expect(await tally(made)).toMatchObject({ closed: 1 });
  });

  it('that is claimed after it was closed has no resolution any more', async () => {
    const { context, id } = await refused();
    await closeDead(context, id, 'done');
    expect((await claimDead(context, id, 'ann')).dead).not.toHaveProperty('resolution');
  });

  it('that holds its lane lets it go on when it is closed, not when it is claimed', async () => {
    const { context, id, all } = await refused({}, 'hold-lane');
    const heads = async () => (await all()).map(({ head, holdsLane }) => [head, holdsLane ?? false]);
    const held = [
      [false, true],
      [false, false],
      [false, false],
    ];
    expect(await heads()).toEqual(held);
    await claimDead(context, id, 'ann');
    expect(await heads()).toEqual(held);
    await closeDead(context, id, 'done');
    expect(await heads()).toEqual([
      [false, false],
      [true, false],
      [false, false],
    ]);
  });

  it.each(['route', 'outbox'])(
    'is shown to the hook of its %s, the route’s first; a hook that fails harms nothing',
    async (where) => {
      const seen: EntryView[] = [];
      const onTriage = (entry: EntryView) => {
        seen.push(entry);
        throw new Error('the hook is broken');
      };
      const own = where === 'route' ? { onTriage } : {};
      const { context, id } = await refused({
        routes: [{ name: 'docs', match: '/docs/:id', lane: 'one', ...own }],
        onTriage: where === 'route' ? () => expect.unreachable() : onTriage,
      });
      await claimDead(context, id, 'ann');
      await Promise.resolve();
      expect(seen).toMatchObject([{ id, dead: { triage: 'claimed' } }]);
    },
  );

  it.each<[string, (made: Rig, id: string) => Promise<unknown>]>([
    ['claimed', ({ context }, id) => claimDead(context, id, 'ann')],
    ['closed', ({ context }, id) => closeDead(context, id, 'done')],
    ['sent again', ({ context }, id) => replay(context, id)],
  ])('is what can be %s: no waiting one, and none of anybody else', async (_, act) => {
    let who = 'ann';
    const made = rig({ subject: () => who });
    const { id } = await made.add('/a');
    await expect(act(made, id)).rejects.toMatchObject({ code: 'illegal-move' });
    who = 'bob';
    await expect(act(made, id)).rejects.toMatchObject({ code: 'not-found' });
    expect(await made.all()).toMatchObject([{ state: 'pending', revision: 1 }]);
  });
});

describe('a dead letter that is sent again', () => {
  it('is as new, save for its key, its place and what is known of it', async () => {
    const made = await refused();
    const { context, id, dead, events, logs } = made;
    const before = await dead();
    const entry = await replay(context, id);
    expect(entry).toMatchObject({
      state: 'pending',
      head: true,
      key: before.key,
      attempts: 0,
      spent: {},
      replays: 1,
      history: before.history,
      dueAt: before.lastFailure?.at,
    });
    for (const name of ['dead', 'finishedAt', 'holdsLane', 'lastDelayMs', 'waitsFor'])
      expect(entry).not.toHaveProperty(name);
    expect((await made.all()).map(({ head }) => head)).toEqual([true, false, false]);
    expect(events.at(-1)).toEqual({ type: 'changed', entry });
    expect(logs.at(-1)).toMatchObject({ event: 'replay', id, route: 'docs' });
    expect(await tally(made)).toMatchObject({ replays: 1 });
  });

  it('goes even after its own time, and keeps a time that is still to come', async () => {
    const { add, context, engine, system } = rig({ server: [{ status: 422 }] });
    const soon = await add('/a', {}, { expiresInMs: 5_000 });
    const late = await add('/b', {}, { expiresInMs: 5_001 });
    await engine.drain.wake('start');
    await engine.drain.stop();
    await system.passMs(5_000);
    expect(await replay(context, soon.id)).not.toHaveProperty('expiresAt');
    expect(await replay(context, late.id)).toHaveProperty('expiresAt', late.expiresAt);
  });

  it('still waits until it may be sent at all', async () => {
    const { add, context, system } = rig();
    const notBefore = system.now() + 60_000;
    const { id } = await add('/a', {}, { notBefore });
    await cancel(context, id);
    expect(await replay(context, id)).toMatchObject({ dueAt: notBefore, notBefore });
  });

  it('waits for those of its parents that may still be answered', async () => {
    const { add, context, all } = rig();
    const parents = [await add('/a'), await add('/b')];
    const child = await add('/c', {}, { dependsOn: parents.map(({ id }) => id) });
    await cancel(context, parents[0]!.id);
    expect((await all())[2]).toMatchObject({ state: 'dead', dead: { reason: 'unresolved' } });
    expect(await replay(context, child.id)).toMatchObject({ waitsFor: [parents[1]!.id] });
    await cancel(context, parents[1]!.id);
    expect(await replay(context, child.id)).not.toHaveProperty('waitsFor');
  });
});

describe('the probe "already done?"', () => {
  it.each(['route', 'outbox'])('of the %s spares a request the server knows: it is delivered', async (where) => {
    const asked: EntryView[] = [];
    const alreadyDone = (entry: EntryView) => asked.push(entry) > 0;
    const own = where === 'route' ? { alreadyDone } : {};
    const made = await refused({
      routes: [{ name: 'docs', match: '/docs/:id', lane: 'one', ...own }],
      alreadyDone: where === 'route' ? () => false : alreadyDone,
    });
    const { context, id, events, system } = made;
    await system.passMs(5_000);
    const entry = await replay(context, id);
    expect(entry).toMatchObject({ state: 'delivered', finishedAt: system.now(), replays: 0 });
    expect(events.at(-1)).toEqual({ type: 'delivered', entry });
    expect(asked).toMatchObject([{ id, state: 'dead' }]);
    expect(await tally(made)).toMatchObject({ delivered: 1, replays: 0 });
  });

  it('that says no has it sent again', async () => {
    const { context, id } = await refused({ alreadyDone: () => false });
    expect(await replay(context, id)).toMatchObject({ state: 'pending' });
  });

  it('that fails leaves all as it is', async () => {
    const { context, id, dead } = await refused({
      alreadyDone: () => {
        throw new Error('no network');
      },
    });
    const before = await dead();
    await expect(replay(context, id)).rejects.toMatchObject({ code: 'hook-failed' });
    expect(await dead()).toEqual(before);
  });

  it('is not asked about what is not dead', async () => {
    const { add, context } = rig({
      config: { routes: [{ name: 'api', match: '/*' }], alreadyDone: () => expect.unreachable() },
    });
    const { id } = await add('/a');
    await expect(replay(context, id)).rejects.toMatchObject({ code: 'illegal-move' });
  });
});
