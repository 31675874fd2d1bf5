import { describe, expect, it } from 'vitest';
import { OutboxError } from '../core/errors';
import type { OutboxConfig } from '../core/options';
import { rig } from '../testing/rig';

const config: OutboxConfig = {
  routes: [
    { name: 'upload', match: '/upload', timeoutMs: 900_000 },
    { name: 'docs', match: '/docs/:id', lane: 'doc-:id' },
  ],
};
const made = (options: { readonly shouldYield?: () => boolean } = {}) =>
  rig({
    config,
    drain: options,
    server: (request, nth) =>
      request.url.endsWith('/upload') ? { fail: 'silence' } : nth === 2 ? { status: 500 } : { status: 201 },
  });
type Made = ReturnType<typeof made>;
const docs = async ({ all }: Made) => (await all()).filter((entry) => entry.route === 'docs').map(({ state }) => state);

describe('while a request is under way for a quarter of an hour', () => {
  it('what is made meanwhile goes at once', async () => {
    const outbox = made();
    await outbox.add('/upload');
    void outbox.engine.drain.wake('enqueue');
    for (const waitMs of [5_000, 60_000, 300_000]) {
      await outbox.system.passMs(waitMs);
      await outbox.add('/docs/a');
      void outbox.engine.drain.wake('enqueue');
      await outbox.system.passMs(10_000);
      expect(new Set(await docs(outbox))).toEqual(new Set(['delivered']));
    }
    expect(outbox.transport.sent.filter(({ url }) => url.endsWith('/upload'))).toHaveLength(1);
  });

  it('what becomes due meanwhile goes at its time', async () => {
    const outbox = made();
    await outbox.add('/upload');
    await outbox.add('/docs/a', {}, { notBefore: outbox.system.now() + 100_000 });
    void outbox.engine.drain.wake('enqueue');
    await outbox.system.passMs(99_000);
    expect(await docs(outbox)).toEqual(['pending']);
    await outbox.system.passMs(20_000);
    expect(await docs(outbox)).toEqual(['delivered']);
  });
});

describe('while a newer worker waits, be it for days', () => {
  it('the present one goes on sending, without going round in circles', async () => {
    const outbox = made({ shouldYield: () => true });
    for (const id of ['a', 'b', 'c', 'd', 'e']) await outbox.add(`/docs/${id}`);
    let reads = 0;
    const real = outbox.store.transact.bind(outbox.store);
    outbox.store.transact = (durability, work) => {
      reads += 1;
      return real(durability, work);
    };
    void outbox.engine.drain.wake('enqueue');
    await outbox.system.passMs(60_000);
    expect(new Set(await docs(outbox))).toEqual(new Set(['delivered']));
    expect(reads).toBeLessThan(400);
  });
});

describe('while the store fails in the middle of a slice', () => {
  it('a request that is under way is not sent by somebody else too', async () => {
    const outbox = made();
    const other = outbox.tab();
    await outbox.add('/upload');
    void outbox.engine.drain.wake('enqueue');
    await outbox.system.passMs(5_000);

    const real = outbox.store.transact.bind(outbox.store);
    outbox.store.transact = () => Promise.reject(new OutboxError('storage-unavailable', 'the connection is gone'));
    void outbox.engine.drain.wake('enqueue');
    await outbox.system.passMs(100);
    outbox.store.transact = real;
    void other.engine.drain.wake('start');
    await outbox.system.passMs(60_000);
    expect(outbox.transport.sent).toHaveLength(1);

    await outbox.add('/docs/a');
    void outbox.engine.drain.wake('enqueue');
    await outbox.system.passMs(10_000);
    expect(await docs(outbox)).toEqual(['delivered']);
  });
});
