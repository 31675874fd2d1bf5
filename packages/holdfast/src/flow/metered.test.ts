import { describe, expect, it } from 'vitest';
import type { OutboxConfig } from '../core/options';
import { openGates } from '../core/control';
import { rig } from '../testing/rig';
import { bringForward } from './acts/flush';
import { edit } from './acts/edit';
import { reprioritize } from './acts/reprioritize';
import { seen, sightOf } from './look';

const config: OutboxConfig = {
  routes: [
    { name: 'photos', match: '/photos', lane: null, priority: 5 },
    { name: 'notes', match: '/*', lane: null },
  ],
  metered: { fromBytes: 1_000 },
};
const large = { body: 'x'.repeat(1_000) };
const small = { body: 'x'.repeat(999) };

/** A rig on a metered connection. */
function metered(own: OutboxConfig = config) {
  const made = rig({ config: own });
  made.system.sayMetered(true);
  const sent = (): string[] => made.transport.sent.map(({ url }) => new URL(url).pathname);
  const why = async (): Promise<(string | undefined)[]> =>
    (await made.all()).map((entry) => seen(entry, sightOf(made.context, openGates, '')).why?.kind);
  return { ...made, sent, why };
}

describe('on a metered connection', () => {
  it('large bodies of low priority wait, and say so; small ones and urgent ones go', async () => {
    const { add, engine, system, all, sent, why } = metered();
    await add('/photos', large);
    await add('/photos', small);
    await add('/notes', large);
    void engine.drain.wake('start');
    await system.passMs(600_000);
    expect(sent().sort()).toEqual(['/notes', '/photos']);
    expect((await all()).map(({ state }) => state)).toEqual(['pending', 'delivered', 'delivered']);
    expect(await why()).toEqual(['metered', undefined, undefined]);
    expect((await all())[0]).toMatchObject({ attempts: 0, tries: 0, outcome: 'never-sent' });
  });

  it('a live write of that kind is kept instead of sent', async () => {
    const { fetch, sent } = metered();
    expect((await fetch('/photos', large)).kind).toBe('queued');
    expect((await fetch('/notes', large)).kind).toBe('answered');
    expect(sent()).toEqual(['/notes']);
  });

  it('what waits goes out once the connection is cheaper, though nobody says when that is', async () => {
    const { add, engine, system, all } = metered();
    await add('/photos', large);
    void engine.drain.wake('start');
    await system.passMs(7_200_000);
    system.sayMetered(false);
    await system.passMs(300_000);
    expect(await all()).toMatchObject([{ state: 'delivered' }]);
  });

  it('a person who says "now" has it sent all the same, and so has who makes it urgent', async () => {
    const { add, engine, system, all, context, sent } = metered();
    await add('/photos', large);
    await bringForward(context, { ignoreBackoff: true });
    void engine.drain.wake('person');
    await system.passMs(60_000);
    expect(sent()).toEqual(['/photos']);

    const { id } = await add('/photos', large);
    await reprioritize(context, { ids: [id] }, 2);
    void engine.drain.wake('person');
    await system.passMs(60_000);
    expect((await all()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  it('what is edited is measured anew', async () => {
    const { add, context, why } = metered();
    const { id } = await add('/photos', large);
    await edit(context, id, { body: { body: new Uint8Array(10) } });
    expect(await why()).toEqual(['due-now']);
    await edit(context, id, { body: { body: new Uint8Array(2_000) } });
    expect(await why()).toEqual(['metered']);
  });

  it('nothing waits unless the app asked for it', async () => {
    const { metered: _, ...without } = config;
    const { add, engine, system, sent } = metered(without);
    await add('/photos', large);
    void engine.drain.wake('start');
    await system.passMs(1_000);
    expect(sent()).toEqual(['/photos']);
  });
});

it('without a metered connection large bodies go as all others', async () => {
  const { add, engine, system, transport } = rig({ config });
  await add('/photos', large);
  void engine.drain.wake('start');
  await system.passMs(1_000);
  expect(transport.sent).toHaveLength(1);
});

it.each([{ fromPriority: 8 }, { fromPriority: 1.5 }, { fromBytes: -1 }, { fromBytes: NaN }])(
  'a wrong option is refused in words: %o',
  (wrong) => {
    expect(() => rig({ config: { ...config, metered: wrong } })).toThrow(/metered\.from/);
  },
);
