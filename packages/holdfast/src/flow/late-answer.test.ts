import { describe, expect, it } from 'vitest';
import { defaultBackoff } from '../core/backoff';
import { defaultBudgets } from '../core/budget';
import { rig } from '../testing/rig';
import { edit } from './acts/edit';
import { replay } from './acts/triage';

const slow = { routes: [{ name: 'orders', match: '/*', lane: null, timeoutMs: 5_000 }] };

describe('an answer that comes after the deadline', () => {
  it('settles the entry that was kept because it had not come, without a second request', async () => {
    const { fetch, transport, system, all } = rig({
      config: slow,
      server: [{ status: 201, body: { id: 77 }, afterMs: 9_000 }],
    });
    const outcome = fetch('/orders', { body: 'a' });
    await system.passMs(5_000);
    expect(await outcome).toMatchObject({ kind: 'queued', entry: { outcome: 'unknown', state: 'pending' } });

    await system.passMs(4_000);
    expect(await all()).toMatchObject([{ state: 'delivered', answer: { status: 201, body: '{"id":77}' } }]);
    expect(transport.sent).toHaveLength(1);
  });

  it('settles what was stored ahead of the attempt as well', async () => {
    const ahead = { routes: [{ ...slow.routes[0]!, capture: 'write-ahead' as const }] };
    const { fetch, system, all } = rig({ config: ahead, server: [{ status: 201, afterMs: 9_000 }] });
    const outcome = fetch('/orders', { body: 'a' });
    await system.passMs(5_000);
    expect(await outcome).toMatchObject({ kind: 'queued' });
    await system.passMs(4_000);
    expect(await all()).toMatchObject([{ state: 'delivered' }]);
  });

  it('changes nothing when it is a refusal: the server is asked again under the same key', async () => {
    const { fetch, engine, transport, system, all } = rig({
      config: slow,
      server: [{ status: 422, afterMs: 9_000 }, { status: 201 }],
    });
    const outcome = fetch('/orders', { body: 'a' });
    await system.passMs(9_000);
    await outcome;
    expect(await all()).toMatchObject([{ state: 'pending', outcome: 'unknown' }]);
    void engine.drain.wake('person');
    await system.passMs(60_000);
    expect(await all()).toMatchObject([{ state: 'delivered' }]);
    expect(transport.sent).toHaveLength(2);
  });

  it('is judged by what was known when it left: that a thing is not there is no proof that this attempt removed it', async () => {
    const { fetch, system, all } = rig({ config: slow, server: [{ status: 404, afterMs: 9_000 }] });
    void fetch('/orders/7', { method: 'DELETE' });
    await system.passMs(9_000);
    expect(await all()).toMatchObject([{ state: 'pending', outcome: 'unknown' }]);
  });
});

/** A minute passes between two attempts. */
const patient = {
  routes: [{ name: 'orders', match: '/*', lane: 'all', timeoutMs: 5_000 }],
  retry: { backoff: { ...defaultBackoff, baseMs: 60_000, jitter: 'none' } },
} as const;

describe('a late answer to an attempt from the queue', () => {
  it('settles the entry that waits for its next one, once, and lets its lane go on', async () => {
    const { add, engine, transport, system, all, events } = rig({
      config: patient,
      server: [{ status: 201, body: { id: 77 }, afterMs: 9_000 }, { status: 201 }],
    });
    await add('/orders', { body: 'a' });
    await add('/orders', { body: 'b' });
    void engine.drain.wake('start');
    await system.passMs(5_000);
    expect(await all()).toMatchObject([{ state: 'pending', outcome: 'unknown', tries: 1 }, { state: 'pending' }]);

    await system.passMs(4_000);
    const [first] = await all();
    expect(first).toMatchObject({ state: 'delivered', tries: 1, answer: { status: 201, body: '{"id":77}' } });
    expect(first?.history.map(({ class: kind, tookMs }) => [kind, tookMs])).toEqual([
      ['timeout', 5_000],
      ['delivered', 9_000],
    ]);
    void engine.drain.wake('person');
    await system.passMs(60_000);
    expect((await all()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
    expect(transport.sent).toHaveLength(2);
    expect(events.filter(({ type }) => type === 'delivered')).toHaveLength(2);
  });

  it('settles the entry while it is being sent again, and what comes of that changes nothing', async () => {
    const { add, engine, transport, system, all, store } = rig({
      config: { ...patient, retry: { backoff: { ...defaultBackoff, baseMs: 1_000, jitter: 'none' } } },
      server: [
        { status: 201, afterMs: 9_000 },
        { status: 422, afterMs: 4_000 },
      ],
    });
    const entry = await add('/orders', { body: 'a' });
    void engine.drain.wake('start');
    await system.passMs(8_000);
    expect(await all()).toMatchObject([{ state: 'sending' }]);
    await system.passMs(1_000);
    expect(await all()).toMatchObject([{ state: 'delivered' }]);

    const told = await store.transact('read', (rows) => rows.bySeq(entry.seq));
    await system.passMs(60_000);
    expect(transport.sent).toHaveLength(2);
    expect(await all()).toEqual([told]);
  });

  it('settles once what two attempts were told was done', async () => {
    const { add, engine, system, all, events, store } = rig({
      config: { ...patient, retry: { backoff: { ...defaultBackoff, baseMs: 1_000, jitter: 'none' } } },
      server: [
        { status: 201, afterMs: 12_000 },
        { status: 201, afterMs: 8_000, headers: { 'idempotency-replayed': 'true' } },
        { fail: 'silence' },
      ],
    });
    await add('/orders', { body: 'a' });
    void engine.drain.wake('start');
    await system.passMs(120_000);
    expect(await all()).toMatchObject([{ state: 'delivered', answer: { replayed: false } }]);
    expect(events.filter(({ type }) => type === 'delivered')).toHaveLength(1);
    const book = await store.transact('read', (rows) => rows.control('book'));
    expect(book?.tallies?.['']?.delivered).toBe(1);
  });

  it('brings back from the dead what had used up its budget', async () => {
    const { add, engine, system, all } = rig({
      config: { ...patient, retry: { ...patient.retry, budgets: { ...defaultBudgets, timeout: 0 } } },
      server: [{ status: 201, afterMs: 9_000 }],
    });
    await add('/orders', { body: 'a' });
    void engine.drain.wake('enqueue');
    await system.passMs(5_000);
    expect(await all()).toMatchObject([{ state: 'dead', dead: { reason: 'exhausted' } }]);
    await system.passMs(4_000);
    const [entry] = await all();
    expect(entry).toMatchObject({ state: 'delivered' });
    expect(entry).not.toHaveProperty('dead');
  });

  it('refuses nothing: neither what waits, nor what a newer attempt has delivered', async () => {
    const { add, engine, transport, system, all } = rig({
      config: { ...patient, retry: { backoff: { ...defaultBackoff, baseMs: 1_000, jitter: 'none' } } },
      server: [
        { status: 422, afterMs: 9_000 },
        { status: 201, afterMs: 2_000 },
      ],
    });
    await add('/orders', { body: 'a' });
    void engine.drain.wake('start');
    await system.passMs(8_500);
    expect(await all()).toMatchObject([{ state: 'delivered' }]);
    await system.passMs(60_000);
    expect(await all()).toMatchObject([{ state: 'delivered', answer: { status: 201 } }]);
    expect(transport.sent).toHaveLength(2);
  });

  it('is for the request that was sent: not for another that an edit made of it', async () => {
    const { add, context, engine, system, all, transport } = rig({
      config: { ...patient, retry: { ...patient.retry, budgets: { ...defaultBudgets, timeout: 0 } } },
      server: [{ status: 201, afterMs: 9_000 }],
    });
    const { id } = await add('/orders', { body: 'a' });
    void engine.drain.wake('enqueue');
    await system.passMs(5_000);
    await edit(context, id, { body: { body: new TextEncoder().encode('b'), type: 'text/plain' } });
    await system.passMs(4_000);
    expect(await all()).toMatchObject([{ state: 'dead', outcome: 'never-sent' }]);
    await replay(context, id);
    void engine.drain.wake('person');
    await system.passMs(60_000);
    expect(transport.sent).toHaveLength(2);
  });

  it('asks nobody what to do about a conflict that will be met again', async () => {
    let asked = 0;
    const { add, engine, system, all } = rig({
      config: { ...patient, resolveConflict: () => ((asked += 1), 'delivered') },
      server: [{ status: 409, afterMs: 9_000 }],
    });
    await add('/orders', { body: 'a' });
    void engine.drain.wake('start');
    await system.passMs(9_000);
    expect(await all()).toMatchObject([{ state: 'pending' }]);
    expect(asked).toBe(0);
  });

  it('that asks to be left alone is obeyed', async () => {
    const { add, engine, system, transport } = rig({
      config: { ...patient, routes: [{ ...patient.routes[0], lane: null }] },
      server: [{ status: 503, headers: { 'retry-after': '600' }, afterMs: 9_000 }, { status: 201 }],
    });
    await add('/orders', { body: 'a' });
    void engine.drain.wake('start');
    await system.passMs(9_000);
    await add('/orders', { body: 'b' });
    void engine.drain.wake('enqueue');
    await system.passMs(590_000);
    expect(transport.sent).toHaveLength(1);
    await system.passMs(300_000);
    expect(transport.sent).toHaveLength(3);
  });
});

describe('a request that no browser could make again', () => {
  it('is refused when it is edited, while somebody is there to hear it', async () => {
    const { add, context } = rig();
    const entry = await add('/orders', { body: 'a' });
    await expect(edit(context, entry.id, { method: 'GET' })).rejects.toMatchObject({ code: 'not-storable' });
    await expect(edit(context, entry.id, { method: 'PUT' })).resolves.toMatchObject({ request: { method: 'PUT' } });
  });
});
