import { describe, expect, it } from 'vitest';
import { rig } from '../testing/rig';

const config = { routes: [{ name: 'api', match: '/:lane', lane: ':lane' }], limits: { perLane: 3 } };

describe('the limit of a lane', () => {
  it('holds, whoever else waits', async () => {
    const { add } = rig({ config });
    for (const path of ['/a', '/b', '/a', '/a', '/b']) await add(path);
    await expect(add('/a')).rejects.toMatchObject({ code: 'full' });
    await expect(add('/b')).resolves.toMatchObject({ lane: 'b' });
    await expect(add('/b')).rejects.toMatchObject({ code: 'full' });
    await expect(add('/c')).resolves.toMatchObject({ lane: 'c' });
  });

  it('costs no count while fewer wait in all than fit into one lane', async () => {
    const { add, context } = rig({ config });
    let counts = 0;
    const { transact } = context.store;
    context.store.transact = (durability, work) =>
      transact(durability, (rows) => work({ ...rows, laneSize: (key) => ((counts += 1), rows.laneSize(key)) }));
    for (const path of ['/a', '/b', '/a']) await add(path);
    expect(counts).toBe(0);
    await add('/a');
    expect(counts).toBe(1);
  });
});
