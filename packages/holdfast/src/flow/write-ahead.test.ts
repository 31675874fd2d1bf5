import { describe, expect, it } from 'vitest';
import { rig } from '../testing/rig';
import { letGo } from './write-ahead';

const config = { routes: [{ name: 'orders', match: '/*', capture: 'write-ahead' as const }] };

describe('a request that was stored before its live attempt', () => {
  it('is no dead letter when the page itself has the refusal', async () => {
    const { fetch, all } = rig({ config, server: [{ status: 422 }] });
    expect(await fetch('/orders', { body: 'a' })).toMatchObject({ kind: 'answered' });
    expect(await all()).toEqual([]);
  });

  it('stays on the list when the page, which heard nothing from the worker, was told meanwhile that it is kept', async () => {
    const { fetch, tab, all, system } = rig({ config, server: [{ status: 422, afterMs: 5_000 }, { status: 422 }] });
    const worker = fetch('/orders', { body: 'a' });
    await system.passMs(1_000);
    const [entry] = await all();
    const page = tab();
    await letGo(page.context, entry!);
    await system.passMs(5_000);
    await worker;
    expect(await all()).toMatchObject([{ state: 'pending', outcome: 'unknown' }]);
    void page.engine.drain.wake('person');
    await system.passMs(60_000);
    expect(await all()).toMatchObject([{ state: 'dead', dead: { reason: 'rejected' } }]);
  });
});
