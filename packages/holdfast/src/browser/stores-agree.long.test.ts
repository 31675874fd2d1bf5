import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry, State } from '../core/entry';
import { bucketOf, laneKeyOf } from '../core/index-keys';
import type { Rows } from '../ports';
import { fakeSystem } from '../testing/fake-system';
import { sampleEntry } from '../testing/sample-entry';
import { idbStore } from './idb-store';
import { memoryStore } from './memory-store';

const small = fc.nat(6);
const anEntry: fc.Arbitrary<Entry> = fc
  .record(
    {
      seq: fc.integer({ min: 1, max: 9 }),
      subject: fc.constantFrom('ann', 'bob', ''),
      state: fc.constantFrom<State>('pending', 'sending', 'delivered', 'dead'),
      lane: fc.constantFrom('a', 'b', null),
      head: fc.boolean(),
      dueAt: small,
      expiresAt: small,
      finishedAt: small,
      supersedes: fc.constantFrom('x', 'y'),
      lease: fc.record({ owner: fc.constant('tab'), token: small, until: small }),
      dead: fc.constantFrom<Entry['dead']>(
        { reason: 'expired', message: '', at: 1, triage: 'open' },
        { reason: 'expired', message: '', at: 1, triage: 'closed', closedAt: 3 },
      ),
      waitsFor: fc.constantFrom<string[]>([], ['entry-1']),
      key: fc.constantFrom('key-1', 'key-2', 'key-3'),
    },
    { requiredKeys: ['seq', 'subject', 'state', 'lane', 'head', 'dueAt', 'dead'] },
  )
  .map(({ seq, ...changes }) => sampleEntry(seq, changes as Partial<Entry>));

type Call = readonly [what: string, run: (rows: Rows) => Promise<unknown>];
const seqsOf = async (entries: Promise<Entry[]>) => (await entries).map(({ seq }) => seq);
const limits = fc.constantFrom(0, 1, 3, 100, Infinity);

const aWrite: fc.Arbitrary<Call> = fc.oneof(
  anEntry.map((entry): Call => [`put ${entry.seq}`, (rows) => rows.put(entry).catch((e: { code: string }) => e.code)]),
  fc.nat(9).map((seq): Call => [`remove ${seq}`, (rows) => rows.remove(seq)]),
);
const aRead: fc.Arbitrary<Call> = fc.oneof(
  fc.nat(9).map((seq): Call => ['bySeq', (rows) => rows.bySeq(seq)]),
  fc.nat(9).map((seq): Call => ['byId', (rows) => rows.byId(`entry-${seq}`)]),
  fc.nat(9).map((seq): Call => ['byKey', (rows) => rows.byKey(`key-${seq}`)]),
  fc
    .tuple(anEntry, small, limits, fc.option(fc.tuple(small, small), { nil: undefined }))
    .map(([like, until, limit, past]): Call => [
      'ready',
      (rows) => seqsOf(rows.ready(bucketOf(like), until, limit, past)),
    ]),
  anEntry.map((like): Call => ['nextReadyAt', (rows) => rows.nextReadyAt(bucketOf(like))]),
  fc
    .tuple(fc.constantFrom('a', 'b'), limits, fc.option(small, { nil: undefined }))
    .map(([lane, limit, after]): Call => ['lane', (rows) => seqsOf(rows.lane(laneKeyOf('ann', lane), limit, after))]),
  fc.constantFrom('a', 'b').map((lane): Call => ['laneTail', (rows) => rows.laneTail(laneKeyOf('ann', lane))]),
  fc.constantFrom('a', 'b').map((lane): Call => ['laneSize', (rows) => rows.laneSize(laneKeyOf('ann', lane))]),
  fc.tuple(small, limits).map(([until, limit]): Call => ['expiring', (rows) => seqsOf(rows.expiring(until, limit))]),
  fc.constant<Call>(['nextExpiry', (rows) => rows.nextExpiry()]),
  fc.constantFrom('x', 'y').map((scope): Call => ['replaceable', (rows) => seqsOf(rows.replaceable(scope))]),
  fc
    .record(
      {
        subject: fc.constantFrom('ann', 'bob', ''),
        state: fc.constantFrom<State>('pending', 'delivered', 'dead'),
        limit: limits,
        after: small,
        direction: fc.constantFrom<'oldest-first' | 'newest-first'>('oldest-first', 'newest-first'),
      },
      { requiredKeys: ['subject', 'state', 'limit'] },
    )
    .map((query): Call => [`list ${JSON.stringify(query)}`, (rows) => seqsOf(rows.list(query))]),
  fc
    .tuple(fc.constantFrom<State>('delivered', 'dead'), small, limits)
    .map(([state, until, limit]): Call => ['finished', (rows) => seqsOf(rows.finished(state, until, limit))]),
  fc.tuple(small, limits).map(([after, limit]): Call => ['scan', (rows) => rows.scan(after, limit)]),
);
const aTransaction = fc.record({
  calls: fc.array(fc.oneof(aWrite, aRead), { minLength: 1, maxLength: 8 }),
  fails: fc.boolean(),
});

let made = 0;

describe('the memory store and the IndexedDB store', () => {
  it('answer every call alike, in any history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aTransaction, { minLength: 1, maxLength: 6 }), async (transactions) => {
        const stores = [memoryStore(), idbStore(`agree-${(made += 1)}`, { system: fakeSystem() })];
        const answers = await Promise.all(
          stores.map(async (store) => {
            const heard: unknown[] = [];
            for (const { calls, fails } of transactions) {
              const before = heard.length;
              const work = async (rows: Rows) => {
                // A work may run twice; only its last run counts.
                heard.length = before;
                for (const [what, run] of calls) heard.push([what, await run(rows)]);
                if (fails) throw new Error('taken back');
              };
              await store.transact('strict', work).catch((error: Error) => heard.push(error.message));
            }
            heard.push(await store.transact('read', (rows) => rows.scan(0, 100)));
            store.close();
            return heard;
          }),
        );
        expect(answers[1]).toEqual(answers[0]);
      }),
      { numRuns: 200 },
    );
  }, 60_000);
});
