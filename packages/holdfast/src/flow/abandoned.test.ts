import { describe, expect, it } from 'vitest';
import { rig } from '../testing/rig';
import { abandon, letGo, putBack } from './write-ahead';

const config = { routes: [{ name: 'docs', match: '/docs/:id', lane: 'one', capture: 'write-ahead' as const }] };

/** A request that was stored and is on its way to a server that takes its time. */
async function under(afterMs = 60_000) {
  const made = rig({ config, server: () => ({ status: 201, afterMs }) });
  void made.fetch('/docs/a');
  await made.system.passMs(1_000);
  const entry = (await made.all())[0]!;
  expect(entry).toMatchObject({ state: 'sending', lease: { live: true } });
  return { ...made, entry, now: async () => (await made.all())[0] };
}

describe('a request that was stored before its live attempt', () => {
  it('waits again when another run lets go of it, and may have arrived', async () => {
    const { entry, tab, now } = await under();
    await letGo(tab().context, entry);
    const after = await now();
    expect(after).toMatchObject({ state: 'pending', outcome: 'unknown', head: true });
    expect(after).not.toHaveProperty('lease');
  });

  it('is not let go by the run that is at it, and another that has its place now is left alone', async () => {
    const { entry, context, tab, now } = await under();
    await letGo(context, entry);
    await letGo(tab().context, { ...entry, id: 'another' });
    expect(await now()).toEqual(entry);
  });

  it('is not let go when the drain has it, or nobody', async () => {
    const { add, engine, system, tab, all } = rig({ server: () => ({ status: 201, afterMs: 60_000 }) });
    await add('/a');
    await add('/b', {}, { notBefore: system.now() + 3_600_000 });
    void engine.drain.wake('start');
    await system.passMs(1_000);
    const before = await all();
    for (const entry of before) await letGo(tab().context, entry);
    expect(await all()).toEqual(before);
  });

  it('waits as if it had never been begun when nothing was sent', async () => {
    const { entry, context, now } = await under();
    await putBack(context, entry);
    expect(await now()).toMatchObject({ state: 'pending', outcome: entry.outcome, tries: entry.tries, head: true });
  });

  it('is dead when the page aborts it, on record as one that may have arrived', async () => {
    const { entry, context, now, system } = await under();
    await abandon(context, entry);
    expect(await now()).toMatchObject({
      state: 'dead',
      outcome: 'unknown',
      dead: { reason: 'cancelled', triage: 'closed', at: system.now() },
    });
  });

  it('is not ended by an abort that comes after its answer, or is about another', async () => {
    const { entry, context, now, system } = await under(2_000);
    await abandon(context, { ...entry, id: 'another' });
    expect(await now()).toEqual(entry);
    await system.passMs(5_000);
    await abandon(context, entry);
    expect(await now()).toMatchObject({ state: 'delivered' });
  });

  it('troubles nobody when it cannot be put back: its lease runs out instead', async () => {
    const { entry, context } = await under();
    const broken = { ...context.store, transact: () => Promise.reject(new Error('no store')) };
    await expect(putBack({ ...context, store: broken }, entry)).resolves.toBeUndefined();
  });
});
