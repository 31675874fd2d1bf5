import { describe, expect, it } from 'vitest';
import { emptySnapshot } from '../core/snapshot';
import { pageStatus as status } from '../testing/page-status';
import { rig, type RigOptions } from '../testing/rig';
import { pause } from './acts/pause';
import { look } from './look';

const made = (options: RigOptions = {}) => {
  const rigged = rig(options);
  return { ...rigged, look: () => look(rigged.context, status) };
};
const hour = 3_600_000;

describe('a look at the outbox', () => {
  it('at an empty one shows that nothing is there, and is ready', async () => {
    const { look: seen, system } = made();
    expect(await seen()).toEqual({ ...emptySnapshot(status), ready: true, at: system.now() });
  });

  it('shows what is on its way, what waits, oldest first, then the dead and the delivered, newest first', async () => {
    const {
      add,
      engine,
      system,
      look: seen,
    } = made({
      server: ({ url }) =>
        url.includes('slow') ? { status: 201, afterMs: hour } : { status: url.includes('bad') ? 422 : 201 },
    });
    for (const path of ['/good-1', '/bad-1', '/good-2', '/bad-2']) {
      await add(path);
      await engine.drain.wake('start');
    }
    await add('/slow');
    const start = system.now();
    void engine.drain.wake('enqueue');
    await system.passMs(1_000);
    for (const path of ['/later-1', '/later-2']) await add(path, {}, { notBefore: start + 2 * hour });
    const { entries, counts, oldestPendingAt, connectivity } = await seen();
    const paths = entries.map(({ url }) => new URL(url).pathname);
    expect(paths).toEqual(['/slow', '/later-1', '/later-2', '/bad-2', '/bad-1', '/good-2', '/good-1']);
    expect(counts).toMatchObject({ sending: 1, pending: 2, dead: 2, delivered: 2, open: 2 });
    expect(oldestPendingAt).toBe(start);
    expect(connectivity).toBe('online');
    expect(entries[1]?.why).toEqual({ kind: 'not-before', until: start + 2 * hour });
  });

  it('shows nothing of anybody else, and does not wait for them', async () => {
    let who = 'ann';
    const { add, look: seen, system } = made({ subject: () => who });
    await add('/a', {}, { notBefore: system.now() + hour });
    who = 'bob';
    expect(await seen()).toMatchObject({
      entries: [],
      counts: { pending: 0 },
      oldestPendingAt: null,
      nextAttemptAt: null,
    });
  });
});

describe('when the next attempt will be', () => {
  it('is when the soonest of all may go', async () => {
    const { add, look: seen, system } = made();
    const now = system.now();
    await add('/a', {}, { notBefore: now + 2 * hour, priority: 1 });
    await add('/b', {}, { notBefore: now + hour, priority: 2 });
    expect((await seen()).nextAttemptAt).toBe(now + hour);
  });

  it('is the end of the pause that holds it back, or unknown when that has none', async () => {
    const { add, context, look: seen, system } = made();
    await add('/a', {}, { expiresInMs: Infinity });
    const until = system.now() + hour;
    await pause(context, { until });
    expect(await seen()).toMatchObject({ nextAttemptAt: until, paused: { until } });
    await pause(context);
    expect(await seen()).toMatchObject({ nextAttemptAt: null, paused: { until: null } });
    await system.passMs(hour);
    await pause(context, { until });
    expect((await seen()).paused).toBeNull();
  });

  it('is the moment at which one expires that cannot go sooner', async () => {
    const { add, context, look: seen, system } = made();
    await add('/a', {}, { expiresInMs: hour });
    await pause(context);
    expect((await seen()).nextAttemptAt).toBe(system.now() + hour);
  });

  it('is not before the server wants it', async () => {
    const { add, engine, look: seen, system } = made({ server: [{ status: 503, headers: { 'retry-after': '600' } }] });
    await add('/a');
    void engine.drain.wake('start');
    await system.passMs(1_000);
    const asked = system.now() - 1_000 + 600_000;
    await add('/b');
    expect((await seen()).nextAttemptAt).toBeGreaterThanOrEqual(asked);
  });
});
