import { describe, expect, it } from 'vitest';
import { emptyBook } from '../core/control';
import type { ListQuery } from '../ports';
import { rig } from '../testing/rig';
import { change } from './ledger';
import { raiseLowest, waiting } from './waiting';

const config = { routes: [{ name: 'api', match: '/*', lane: null }] };

/** Among the first. */
const refused = 6;

/** So many entries, of which the first so many are delivered, and whoever is at work has looked where the oldest is. */
async function afterMany(total: number, delivered: number) {
  const answer = (nth: number): number => (nth === refused ? 422 : nth < delivered ? 201 : 503);
  const made = rig({ config, server: ({ url }) => ({ status: answer(Number(url.split('/').at(-1))) }) });
  for (let nth = 0; nth < total; nth += 1) await made.add(`/${nth}`);
  await made.engine.drain.wake('start');
  await made.system.passMs(60_000);
  await made.engine.drain.stop();
  const { store } = made.context;
  await change(store, 'relaxed', (ledger) => raiseLowest(ledger, ''));
  const asked: ListQuery[] = [];
  const list = (state: 'pending' | 'sending', limit: number) =>
    store.transact('read', async (rows) => {
      const seen = { ...rows, list: (query: ListQuery) => (asked.push(query), rows.list(query)) };
      const found = await waiting(seen, (await rows.control('book')) ?? emptyBook, '', state, limit);
      return found.map(({ seq }) => seq);
    });
  const lowest = () => store.transact('read', async (rows) => (await rows.control('book'))?.lowest?.['']?.seq);
  return { ...made, asked, list, lowest };
}

describe('whoever lists what waits', () => {
  it('begins where the oldest is, and ends with as many as there are', async () => {
    const { list, asked, lowest } = await afterMany(505, 502);
    expect(await lowest()).toBe(503);
    expect(await list('pending', 50)).toEqual([503, 504, 505]);
    expect(asked).toEqual([{ subject: '', state: 'pending', limit: 3, after: 502 }]);
  });

  it('does not look at all where nobody waits', async () => {
    const { list, asked } = await afterMany(501, 501);
    expect(await list('pending', 50)).toEqual([]);
    expect(await list('sending', 50)).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('finds who has come back to a place before all others', async () => {
    const { list, lowest, context } = await afterMany(505, 502);
    await change(context.store, 'strict', async (ledger) => {
      const row = await ledger.rows.bySeq(refused + 1);
      expect(row?.state).toBe('dead');
      await ledger.update(row!, { state: 'pending', dead: undefined });
    });
    expect(await lowest()).toBe(refused + 1);
    expect(await list('pending', 50)).toEqual([refused + 1, 503, 504, 505]);
  });

  it('begins at the start when fewer are found than are counted', async () => {
    const { list, context } = await afterMany(505, 502);
    await change(context.store, 'strict', (ledger) => {
      ledger.setLowest('', { seq: 505, ended: 502 });
      return Promise.resolve();
    });
    expect(await list('pending', 50)).toEqual([503, 504, 505]);
  });
});
