import type { Entry, State } from '../../core/entry';
import { bucketOf, laneKeyOf } from '../../core/index-keys';
import type { Rows, Store } from '../../ports';
import { same } from '../expectation';
import { sampleEntry } from '../sample-entry';
import type { StorePromise } from './promise';

const bucket = bucketOf(sampleEntry(1));
const lane = laneKeyOf('ann', 'orders');

const fill = (store: Store, entries: readonly Entry[]) =>
  store.transact('strict', async (rows) => {
    for (const entry of entries) await rows.put(entry);
  });
const found = (store: Store, find: (rows: Rows) => Promise<Entry[]>) =>
  store.transact('read', async (rows) => (await find(rows)).map((entry) => entry.seq));
const many = (count: number, make: (seq: number) => Partial<Entry> = () => ({})) =>
  Array.from({ length: count }, (_, at) => sampleEntry(at + 1, make(at + 1)));

export const finderPromises: readonly StorePromise[] = [
  {
    title: 'finds what is due, soonest first, then in store order, and no more than asked',
    async check(store) {
      await fill(store, [
        sampleEntry(1, { dueAt: 50 }),
        sampleEntry(2, { dueAt: 10 }),
        sampleEntry(3, { dueAt: 10 }),
        sampleEntry(4, { dueAt: 51 }),
      ]);
      same(await found(store, (rows) => rows.ready(bucket, 50, 10)), [2, 3, 1], 'due at 50');
      same(await found(store, (rows) => rows.ready(bucket, 50, 2)), [2, 3], 'two of them');
      same(await found(store, (rows) => rows.ready(bucket, 9, 10)), [], 'nothing yet');
      same(await found(store, (rows) => rows.ready(bucket, 50, 10, [10, 2])), [3, 1], 'past a position');
      same(await found(store, (rows) => rows.ready(bucket, 50, 10, [60, 1])), [], 'past the end');
      same(await found(store, (rows) => rows.ready(bucket, Infinity, 10)), [2, 3, 1, 4], 'for ever');
    },
  },
  {
    title: 'looks only into the bucket it was asked for',
    async check(store) {
      const others = [{ subject: 'bob' }, { priority: 4 }, { route: 'orders-2' }];
      await fill(store, [sampleEntry(1), ...others.map((other, at) => sampleEntry(at + 2, other))]);
      same(await found(store, (rows) => rows.ready(bucket, 99_999, 10)), [1], 'its own');
      same(
        await store.transact('read', (rows) => rows.nextReadyAt(bucketOf(sampleEntry(1, { priority: 4 })))),
        3_000,
        'next moment of another',
      );
    },
  },
  {
    title: 'leaves out of `ready` what waits behind its lane or for another entry, and finds leases by their end',
    async check(store) {
      await fill(store, [
        sampleEntry(1, { state: 'sending', dueAt: 5, lease: { owner: 'tab', token: 1, until: 700 } }),
        sampleEntry(2, { head: false, dueAt: 5 }),
        sampleEntry(3, { dueAt: 5, waitsFor: ['entry-1'] }),
        sampleEntry(4, { state: 'dead', dueAt: 5 }),
        sampleEntry(5, { state: 'delivered', dueAt: 5 }),
      ]);
      same(await found(store, (rows) => rows.ready(bucket, 699, 10)), [], 'before the lease ends');
      same(await found(store, (rows) => rows.ready(bucket, 700, 10)), [1], 'when it has ended');
    },
  },
  {
    title: 'knows the soonest moment of a bucket',
    async check(store) {
      const next = () => store.transact('read', (rows) => rows.nextReadyAt(bucket));
      same(await next(), undefined, 'empty');
      await fill(store, [sampleEntry(1, { dueAt: 90 }), sampleEntry(2, { dueAt: 40 })]);
      same(await next(), 40, 'soonest');
      await store.transact('strict', (rows) => rows.remove(2));
      same(await next(), 90, 'after it went');
    },
  },
  {
    title: 'follows an entry through its changes',
    async check(store) {
      await fill(store, [sampleEntry(1, { dueAt: 10, supersedes: 'profile', expiresAt: 500 })]);
      const dead = sampleEntry(1, {
        state: 'dead',
        finishedAt: 70,
        supersedes: 'profile',
        expiresAt: 500,
        dead: { reason: 'rejected', message: '422', at: 70, triage: 'closed', closedAt: 77 },
      });
      await fill(store, [dead]);
      same(await found(store, (rows) => rows.ready(bucket, 99, 9)), [], 'ready');
      same(await found(store, (rows) => rows.lane(lane, 9)), [], 'lane');
      same(await found(store, (rows) => rows.replaceable('profile')), [], 'replaceable');
      same(await found(store, (rows) => rows.expiring(9_999, 9)), [], 'expiring');
      same(await found(store, (rows) => rows.list({ subject: 'ann', state: 'pending', limit: 9 })), [], 'pending');
      same(await found(store, (rows) => rows.list({ subject: 'ann', state: 'dead', limit: 9 })), [1], 'dead');
      same(await found(store, (rows) => rows.finished('dead', 77, 9)), [1], 'finished');
    },
  },
  {
    title: 'keeps lanes in store order and apart by subject',
    async check(store) {
      await fill(store, [
        ...many(3, (seq) => ({ head: seq === 1 })),
        sampleEntry(4, { subject: 'bob' }),
        sampleEntry(5, { lane: null }),
        sampleEntry(6, { lane: 'orders-2' }),
        sampleEntry(7, { state: 'delivered' }),
      ]);
      same(await found(store, (rows) => rows.lane(lane, 10)), [1, 2, 3], 'in line');
      same(await found(store, (rows) => rows.lane(lane, 2)), [1, 2], 'the first two');
      same(await found(store, (rows) => rows.lane(lane, 10, 1)), [2, 3], 'behind the first');
      await store.transact('read', async (rows) => {
        same(await rows.laneTail(lane), 3, 'tail');
        same(await rows.laneSize(lane), 3, 'size');
        same(await rows.laneTail(laneKeyOf('ann', 'nobody')), undefined, 'tail of an empty lane');
        same(await rows.laneSize(laneKeyOf('ann', 'nobody')), 0, 'size of an empty lane');
      });
    },
  },
  {
    title: 'finds deadlines, soonest first',
    async check(store) {
      const next = () => store.transact('read', (rows) => rows.nextExpiry());
      same(await next(), undefined, 'none');
      await fill(store, [sampleEntry(1, { expiresAt: 90 }), sampleEntry(2, { expiresAt: 30 }), sampleEntry(3)]);
      same(await next(), 30, 'soonest');
      same(await found(store, (rows) => rows.expiring(90, 9)), [2, 1], 'both');
      same(await found(store, (rows) => rows.expiring(90, 1)), [2], 'one');
      same(await found(store, (rows) => rows.expiring(29, 9)), [], 'not yet');
    },
  },
  {
    title: 'finds the waiting entries of a replacement scope, oldest first',
    async check(store) {
      await fill(store, [
        sampleEntry(1, { supersedes: 'profile' }),
        sampleEntry(2, { supersedes: 'avatar' }),
        sampleEntry(3, { supersedes: 'profile', state: 'sending' }),
        sampleEntry(4, { supersedes: 'profile', state: 'dead' }),
      ]);
      same(await found(store, (rows) => rows.replaceable('profile')), [1, 3], 'profile');
      same(await found(store, (rows) => rows.replaceable('none')), [], 'none');
    },
  },
  {
    title: 'lists a shelf from either end, in pages',
    async check(store) {
      const states: State[] = ['dead', 'pending', 'dead', 'dead', 'dead'];
      await fill(
        store,
        many(5, (seq) => ({ state: states[seq - 1]! })),
      );
      await fill(store, [sampleEntry(6, { state: 'dead', subject: 'bob' })]);
      const list = (more: Partial<Parameters<Rows['list']>[0]>) =>
        found(store, (rows) => rows.list({ subject: 'ann', state: 'dead', limit: 10, ...more }));
      same(await list({}), [1, 3, 4, 5], 'oldest first');
      same(await list({ limit: 2 }), [1, 3], 'first page');
      same(await list({ limit: 2, after: 3 }), [4, 5], 'second page');
      same(await list({ direction: 'newest-first' }), [5, 4, 3, 1], 'newest first');
      same(await list({ direction: 'newest-first', limit: 2 }), [5, 4], 'first page');
      same(await list({ direction: 'newest-first', limit: 2, after: 4 }), [3, 1], 'second page');
      same(await list({ subject: 'nobody' }), [], 'nobody has none');
    },
  },
  {
    title: 'finds what retention may forget, oldest first: delivered or closed by a moment, never an open dead letter',
    async check(store) {
      const dead = { reason: 'rejected', message: '422', at: 10 } as const;
      await fill(store, [
        sampleEntry(1, { state: 'delivered', finishedAt: 30 }),
        sampleEntry(2, { state: 'delivered', finishedAt: 20 }),
        sampleEntry(3, { state: 'delivered', finishedAt: 31 }),
        sampleEntry(4, { state: 'dead', finishedAt: 10, dead: { ...dead, triage: 'open' } }),
        sampleEntry(5, { state: 'dead', finishedAt: 10, dead: { ...dead, triage: 'closed', closedAt: 25 } }),
      ]);
      same(await found(store, (rows) => rows.finished('delivered', 30, 9)), [2, 1], 'delivered by 30');
      same(await found(store, (rows) => rows.finished('delivered', 30, 1)), [2], 'one of them');
      same(await found(store, (rows) => rows.finished('dead', 24, 9)), [], 'not closed yet');
      same(await found(store, (rows) => rows.finished('dead', 25, 9)), [5], 'closed');
    },
  },
  {
    title: 'walks all rows in store order, in pages',
    async check(store) {
      await fill(
        store,
        many(5, (seq) => ({ subject: `s${seq}`, state: seq % 2 ? 'dead' : 'pending' })),
      );
      same(await found(store, (rows) => rows.scan(0, 3)), [1, 2, 3], 'first page');
      same(await found(store, (rows) => rows.scan(3, 3)), [4, 5], 'second page');
    },
  },
];
