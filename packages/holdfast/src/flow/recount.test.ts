import { expect, it } from 'vitest';
import { rig } from '../testing/rig';
import { change } from './ledger';

it('a store whose book was lost gives no entry the place of another, and counts them all', async () => {
  const { add, store, all, engine, system, transport } = rig({
    config: { routes: [{ name: 'notes', match: '/*', lane: 'notes' }] },
    server: ({ url }) => (url.endsWith('/refused') ? { status: 422 } : { status: 201 }),
  });
  const bookOf = () => store.transact('read', (rows) => rows.control('book'));
  await add('/refused');
  void engine.drain.wake('person');
  await system.passMs(1_000);
  for (const name of ['1', '2', '3']) await add(`/${name}`);
  await store.transact('strict', (rows) => rows.putControl('book', undefined as never));

  await change(store, 'relaxed', () => Promise.resolve());
  expect(await bookOf()).toMatchObject({ subjects: { '': { pending: 3, dead: 1 } } });
  await add('/4');
  expect((await all()).map(({ request }) => request.url.slice(-1))).toEqual(['d', '1', '2', '3', '4']);
  expect(await bookOf()).toMatchObject({ nextSeq: 6, subjects: { '': { pending: 4, dead: 1, open: 1 } } });

  void engine.drain.wake('person');
  await system.passMs(60_000);
  expect(transport.sent.slice(1).map(({ url }) => url.slice(-1))).toEqual(['1', '2', '3', '4']);
});
