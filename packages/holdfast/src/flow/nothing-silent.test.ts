import { describe, expect, it } from 'vitest';
import type { OutboxConfig } from '../core/options';
import { rig } from '../testing/rig';

/** A rig that keeps what the app's `onDead` hook was told. */
function hearing(config: OutboxConfig, server: Parameters<typeof rig>[0] = {}) {
  const hooked: string[] = [];
  return { hooked, ...rig({ ...server, config: { ...config, onDead: (entry) => void hooked.push(entry.id) } }) };
}

describe('whatever kills a request, it is logged, told and handed to the hook', () => {
  it('the limit, when the oldest makes room', async () => {
    const { add, events, logs, hooked, system } = hearing({
      routes: [{ name: 'api', match: '/*' }],
      limits: { entries: 1, onFull: 'drop-oldest' },
    });
    const first = await add('/a');
    await add('/b');
    await system.settle();

    expect(events).toContainEqual(
      expect.objectContaining({ type: 'dead', entry: expect.objectContaining({ id: first.id }) as unknown }),
    );
    expect(logs).toContainEqual(expect.objectContaining({ event: 'dropped', id: first.id, reason: 'dropped' }));
    expect(hooked).toEqual([first.id]);
  });

  it('its own deadline', async () => {
    const { add, engine, events, logs, hooked, system } = hearing({
      routes: [{ name: 'api', match: '/*', timeToLiveMs: 5_000 }],
    });
    const { id } = await add('/a', {}, { notBefore: system.now() + 60_000 });
    void engine.drain.wake('enqueue');
    await system.passMs(6_000);

    expect(events.filter((event) => event.type === 'dead')).toHaveLength(1);
    expect(logs.filter((record) => record.event === 'expired')).toMatchObject([{ id, reason: 'expired' }]);
    expect(hooked).toEqual([id]);
  });

  it('a budget that the live attempt of a stored request used up', async () => {
    const { fetch, events, logs, hooked, system } = hearing(
      { routes: [{ name: 'api', match: '/*', capture: 'write-ahead' }], retry: { budgets: { timeout: 0 } as never } },
      { server: [{ fail: 'silence' }] },
    );
    const result = fetch('/a');
    await system.passMs(40_000);
    await result;

    expect(events.filter((event) => event.type === 'dead')).toHaveLength(1);
    expect(logs).toContainEqual(expect.objectContaining({ event: 'max_retry_exceeded', class: 'timeout' }));
    expect(hooked).toHaveLength(1);
  });

  it('but what a newer write replaced is only a change', async () => {
    const { add, events, hooked, system } = hearing({ routes: [{ name: 'api', match: '/*', coalesce: true }] });
    await add('/a');
    await add('/a');
    await system.settle();

    expect(events.map((event) => event.type).sort()).toEqual(['changed', 'queued', 'queued']);
    expect(hooked).toEqual([]);
  });
});
