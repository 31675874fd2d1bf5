import { describe, expect, it } from 'vitest';
import { rig } from '../testing/rig';

describe('drain', () => {
  it('a week offline costs no attempt, and the first network delivers everything', { timeout: 180_000 }, async () => {
    let online = false;
    const { engine, add, all, system, transport } = rig({
      server: () => (online ? { status: 201 } : { fail: 'network' }),
    });
    system.sayOffline(true);
    await add('/a');
    await add('/b');
    void engine.drain.wake('start');
    await system.passMs(7 * 86_400_000);
    expect(await all()).toMatchObject([
      { state: 'pending', attempts: 0 },
      { state: 'pending', attempts: 0 },
    ]);
    expect(transport.sent.length).toBeGreaterThan(100);

    online = true;
    system.sayOffline(false);
    await system.passMs(10 * 60_000);
    expect(await all()).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
  });
});
