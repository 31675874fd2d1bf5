import { describe, expect, it } from 'vitest';
import type { OutboxConfig } from '../core/options';
import type { Outgoing } from '../ports';
import type { FakeAnswer } from '../testing/fake-transport';
import { rig } from '../testing/rig';
import { outcomes, type Part, type PartAnswer, paths, queued, states, withDoor } from './door.fixture';
import { batchDoor } from './index';

/** A minute passes between two attempts; the deadline of one is five seconds. */
const config = (lane: string | null): OutboxConfig => ({
  routes: [
    { name: 'orders', match: '/orders/*', lane, timeoutMs: 5_000, minBytesPerSecond: Infinity, batch: batchDoor() },
  ],
  retry: { backoff: { baseMs: 60_000, factor: 2, capMs: 600_000, jitter: 'none' } },
});

/** A door that is slow the first time. */
function slowDoor(one: (part: Part) => PartAnswer): (request: Outgoing) => FakeAnswer {
  const door = withDoor(one);
  let calls = 0;
  return (request) => {
    const answer = door(request);
    return request.url.endsWith('/batch') && (calls += 1) === 1 && 'status' in answer
      ? { ...answer, afterMs: 9_000 }
      : answer;
  };
}

describe('the answer of a call with many requests that comes after the deadline', () => {
  it('settles each by its own part, without a second request', async () => {
    const outbox = rig({ config: config('orders'), server: slowDoor(({ target }) => ({ status: 201, body: target })) });
    await queued(outbox, 3);
    void outbox.engine.drain.wake('online');
    await outbox.system.passMs(5_000);
    expect(await states(outbox)).toEqual(['pending', 'pending', 'pending']);
    expect(await outcomes(outbox)).toEqual(['unknown', 'unknown', 'unknown']);

    await outbox.system.passMs(4_000);
    expect((await outbox.all()).map(({ state, answer, tries }) => [state, answer?.body, tries])).toEqual(
      [1, 2, 3].map((n) => ['delivered', `"/orders/${n}"`, 1]),
    );
    await outbox.system.passMs(600_000);
    expect(paths(outbox)).toEqual(['/batch']);
    expect(outbox.events.filter(({ type }) => type === 'delivered')).toHaveLength(3);
  });

  it('refuses nothing, and what was not begun or led elsewhere is asked again', async () => {
    const once = new Map([
      ['/orders/2', 422],
      ['/orders/3', 307],
      ['/orders/4', 424],
    ]);
    const notBegun = { type: 'application/problem+json', body: { type: 'urn:holdfast:idempotency:not-attempted' } };
    const outbox = rig({
      config: config(null),
      server: slowDoor(({ target }) => {
        const status = once.get(target) ?? 201;
        once.delete(target);
        return { status, ...(status === 424 && notBegun) };
      }),
    });
    await queued(outbox, 4);
    void outbox.engine.drain.wake('online');
    await outbox.system.passMs(9_000);
    expect(await states(outbox)).toEqual(['delivered', 'pending', 'pending', 'pending']);
    await outbox.system.passMs(600_000);
    expect(await states(outbox)).toEqual(Array(4).fill('delivered'));
    const again = outbox.transport.sent
      .slice(1)
      .flatMap(({ url, body }) => [url, String(body && new TextDecoder().decode(body as Uint8Array))]);
    expect(again.join()).not.toContain('/orders/1');
  });

  it.each([
    ['a web page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' }],
    ['a refusal of the whole', { status: 404 }],
    ['a gateway’s regret', { status: 502 }],
  ])('takes nothing for done when it is %s', async (_, late) => {
    let calls = 0;
    const door = withDoor(() => ({ status: 201 }));
    const outbox = rig({
      config: config('orders'),
      server: (request) => ((calls += 1) === 1 ? { ...late, afterMs: 9_000 } : door(request)),
    });
    await queued(outbox, 3);
    void outbox.engine.drain.wake('online');
    await outbox.system.passMs(9_000);
    expect(await states(outbox)).toEqual(['pending', 'pending', 'pending']);
    await outbox.system.passMs(600_000);
    expect(await states(outbox)).toEqual(['delivered', 'delivered', 'delivered']);
  });

  it('that asks to be left alone is obeyed', async () => {
    const outbox = rig({
      config: config(null),
      server: (request) =>
        request.url.endsWith('/batch')
          ? { status: 503, headers: { 'retry-after': '600' }, afterMs: 9_000 }
          : { status: 201 },
    });
    await queued(outbox, 2);
    void outbox.engine.drain.wake('online');
    await outbox.system.passMs(9_000);
    await outbox.add('/orders/3', { body: '{}' });
    void outbox.engine.drain.wake('enqueue');
    await outbox.system.passMs(580_000);
    expect(paths(outbox)).toEqual(['/batch']);
    await outbox.system.passMs(600_000);
    expect(await states(outbox)).toEqual(['delivered', 'delivered', 'delivered']);
  });
});
