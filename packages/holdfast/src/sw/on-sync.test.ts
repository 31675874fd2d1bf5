import { describe, expect, it } from 'vitest';
import { rig } from '../testing/rig';
import { createSyncHint, drainAll } from './on-sync';

/** A registration whose Background Sync is there, and says no or yes. */
function registration(answer: () => Promise<void>) {
  const tags: string[] = [];
  const register = (tag: string): Promise<void> => {
    tags.push(tag);
    return answer();
  };
  return { tags, owner: { sync: { register } } as unknown as ServiceWorkerRegistration };
}

describe('Background Sync', () => {
  it.each(['NotAllowedError', 'InvalidAccessError'])(
    'that rejects with %s is heard of in the log, and the queue is sent by its own timers',
    async (name) => {
      const { add, engine, system, all, logs } = rig({ server: [{ status: 503 }, { status: 201 }] });
      const { owner, tags } = registration(() => Promise.reject(new DOMException('switched off', name)));
      await add('/a');
      await createSyncHint(engine, () => owner)();
      expect(tags).toHaveLength(1);
      expect(logs).toContainEqual(expect.objectContaining({ message: expect.stringContaining(name) as string }));
      void engine.drain.wake('start');
      await system.passMs(3_600_000);
      expect((await all()).filter(({ state }) => state !== 'delivered')).toEqual([]);
    },
  );

  it('that never answers holds nobody up', async () => {
    const { engine, system } = rig();
    let over = false;
    void createSyncHint(engine, () => registration(() => new Promise(() => undefined)).owner)().then(
      () => (over = true),
    );
    await system.passMs(10_000);
    expect(over).toBe(true);
  });

  it('that is not there is not asked', async () => {
    const { engine, logs } = rig();
    await createSyncHint(engine, () => ({}) as ServiceWorkerRegistration)();
    expect(logs).toEqual([]);
  });

  it('keeps its registration while anything waits, up to the last chance; after that the own timers carry on', async () => {
    let up = false;
    const { add, engine, system, all } = rig({ server: () => ({ status: up ? 201 : 503 }) });
    await add('/a');
    for (let event = 0; event < 3; event += 1) {
      await expect(drainAll(engine)).rejects.toThrow('requests still wait');
      await system.passMs(5_000);
    }
    up = true;
    await system.passMs(900_000);
    expect(await all()).toMatchObject([{ state: 'delivered' }]);
    await expect(drainAll(engine)).resolves.toBeUndefined();
  });
});
