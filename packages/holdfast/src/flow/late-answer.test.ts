import { describe, expect, it } from 'vitest';
import { rig } from '../testing/rig';
import { edit } from './acts/edit';

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
});

describe('a request that no browser could make again', () => {
  it('is refused when it is edited, while somebody is there to hear it', async () => {
    const { add, context } = rig();
    const entry = await add('/orders', { body: 'a' });
    await expect(edit(context, entry.id, { method: 'GET' })).rejects.toMatchObject({ code: 'not-storable' });
    await expect(edit(context, entry.id, { method: 'PUT' })).resolves.toMatchObject({ request: { method: 'PUT' } });
  });
});
