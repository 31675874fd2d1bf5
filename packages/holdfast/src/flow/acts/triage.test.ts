import { describe, expect, it } from 'vitest';
import { rig } from '../../testing/rig';
import { cancel } from './cancel';
import { claimDead } from './triage';

describe('a closed dead letter that somebody claims after all', () => {
  it('is not forgotten while it is in his hands', async () => {
    const { add, all, context, engine, system } = rig({
      config: { routes: [{ name: 'api', match: '/*' }], keep: { closedMs: 60_000 } },
    });
    const { id } = await add('/a');
    await cancel(context, id);
    await claimDead(context, id, 'ann');
    await system.passMs(120_000);
    await engine.drain.wake('person');
    expect(await all()).toMatchObject([{ state: 'dead', dead: { triage: 'claimed', assignee: 'ann' } }]);
    expect((await all())[0]?.dead).not.toHaveProperty('closedAt');
  });
});
