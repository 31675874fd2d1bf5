import { describe, expect, it } from 'vitest';
import { rig } from '../testing/rig';
import { change } from './ledger';
import { dueHeads } from './due-heads';

/** So many that are past their time, then so many that are not, all due in one bucket; tells how often it was read. */
async function looked(late: number, inTime: number, trusted: boolean) {
  const { add, context, system } = rig();
  for (let nth = 0; nth < late; nth += 1) await add('/late', {}, { expiresInMs: 1_000 });
  for (let nth = 0; nth < inTime; nth += 1) await add('/in-time');
  await system.passMs(2_000);
  let reads = 0;
  const { value } = await change(context.store, 'relaxed', async (ledger) => {
    const { ready } = ledger.rows;
    const rows = { ...ledger.rows, ready: (...asked: Parameters<typeof ready>) => ((reads += 1), ready(...asked)) };
    const [name = ''] = Object.keys(ledger.book.buckets);
    return dueHeads({ ...ledger, rows }, context, name, { now: system.now(), trusted });
  });
  const paths = value.due.map(({ request }) => new URL(request.url).pathname);
  return { paths, inDoubt: value.inDoubt, reads };
}

const times = (count: number, path: string): string[] => Array.from({ length: count }, () => path);

describe('the due heads of a bucket', () => {
  it('are as many as one look shows, while the clock is trusted, whatever they are', async () => {
    expect(await looked(40, 40, true)).toEqual({ paths: times(32, '/late'), inDoubt: false, reads: 1 });
    expect(await looked(0, 3, true)).toEqual({ paths: times(3, '/in-time'), inDoubt: false, reads: 1 });
  });

  it('are looked for behind those who wait for the clock, until there are enough', async () => {
    expect(await looked(64, 100, false)).toEqual({ paths: times(32, '/in-time'), inDoubt: true, reads: 3 });
    expect(await looked(10, 100, false)).toEqual({ paths: times(54, '/in-time'), inDoubt: true, reads: 2 });
    expect(await looked(0, 32, false)).toEqual({ paths: times(32, '/in-time'), inDoubt: false, reads: 1 });
  });

  it('are looked for no further than there is anybody', async () => {
    expect(await looked(40, 1, false)).toEqual({ paths: ['/in-time'], inDoubt: true, reads: 2 });
  });

  it('are looked for no further than a thousand', async () => {
    const { paths, inDoubt, reads } = await looked(32 * 32, 1, false);
    expect({ paths, inDoubt }).toEqual({ paths: [], inDoubt: true });
    // The last two look for waits that were set on a wrong clock.
    expect(reads).toBeLessThanOrEqual(34);
    expect((await looked(32 * 31, 1, false)).paths).toEqual(['/in-time']);
  });
});
