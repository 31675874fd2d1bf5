import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { emptyBook } from '../core/control';
import type { Entry } from '../core/entry';
import { bucketOf, indexKeys } from '../core/index-keys';
import { rig, rigOrigin } from '../testing/rig';
import { sampleEntry } from '../testing/sample-entry';
import { idbStore } from './idb-store';
import { writeRaw } from './raw-rows.fixture';
import { system } from './system';

const rounds = 40;
const rowsEach = 60;

/** What a page of this origin, or a hand in the developer tools, can put in the place of a value. */
const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true });

const elsewhere = [
  'https://evil.example/steal',
  '//evil.example/steal',
  '/\\evil.example/steal',
  '\\\\evil.example\\steal',
  `${rigOrigin}@evil.example/`,
  `${rigOrigin}.evil.example/`,
  `${rigOrigin}:8443/`,
  `${rigOrigin}\\@evil.example/`,
  'https:evil.example',
  'https:\\\\evil.example/',
  ' https://evil.example/',
  '\thttps://evil.example/',
  'ht\ntps://evil.example/',
  'http://app.example/',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://evil.example/1',
  'file:///etc/passwd',
  '',
];
const anyUrl = fc.oneof(
  fc.constantFrom(...elsewhere, `${rigOrigin}/orders`),
  fc.webUrl(),
  fc.string().map((path) => `${rigOrigin}/${path}`),
  fc.string(),
);

const requestFields = ['method', 'url', 'headers', 'mode', 'credentials', 'cache', 'redirect', 'referrer', 'integrity'];
const someFields = (names: readonly string[]): fc.Arbitrary<object> =>
  fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 2, noNullPrototype: true });

const sound = sampleEntry(1);
const damage: fc.Arbitrary<object> = fc.oneof(
  // Only the address is another.
  { weight: 3, arbitrary: anyUrl.map((url) => ({ request: { ...sound.request, url } })) },
  // Any field of the row holds anything, or is gone.
  {
    weight: 4,
    arbitrary: someFields([
      ...Object.keys(sound),
      'lease',
      'dead',
      'answer',
      'expiresAt',
      'notBefore',
      'waitsFor',
      'parents',
      'supersedes',
      'spent',
      'history',
      'title',
      'meta',
      'dependsOn',
      'children',
      'firstUnknownAt',
      'askedUntil',
    ]),
  },
  // Any field of the request does.
  {
    weight: 3,
    arbitrary: fc.tuple(someFields(requestFields), anyUrl).map(([more, url]) => ({
      request: { ...sound.request, url, ...more },
    })),
  },
  // The body is not what it says.
  {
    weight: 2,
    arbitrary: someFields(['size', 'type', 'kind', 'bytes', 'digest', 'sealed']).map((more) => ({
      body: { ...sound.body, ...more },
    })),
  },
  { weight: 1, arbitrary: anything.map((request) => ({ request })) },
);

/** The seq is the row's key and stays; where the row claims to belong is its own story, or that of a sound one. */
const anyRow = fc.record({ damage, honest: fc.boolean() });

/** A row as it is written raw: sound but for the damage, and found by the scheduler either way. */
function rowOf(seq: number, { damage, honest }: { readonly damage: object; readonly honest: boolean }): object {
  const before = ours(seq);
  const row = { ...before, ...damage, seq };
  return { ...row, k: indexKeys(honest ? keyed(row, before) : before) };
}

function ours(seq: number): Entry {
  return sampleEntry(seq, {
    route: 'api',
    lane: null,
    subject: '',
    dueAt: 0,
    request: { ...sound.request, url: `${rigOrigin}/orders` },
  });
}

/** With the keys that its own address gives, where it has one. */
function keyed(row: Entry, before: Entry): Entry {
  return typeof row.request?.url === 'string' ? { ...before, request: row.request } : before;
}

it('of thousands of damaged rows none stops the outbox, none is sent elsewhere, and none is lost from sight', async () => {
  let made = 0;
  let written = 0;
  let unreadable = 0;
  const property = fc.asyncProperty(
    fc.array(anyRow, { minLength: rowsEach, maxLength: rowsEach, size: 'max' }),
    async (wishes) => {
      const name = `fuzz-${(made += 1)}`;
      const store = idbStore(name, { system });
      expect(await store.refusal()).toBeUndefined();
      const rows = wishes.map((wish, n) => rowOf(n + 1, wish));
      const taken = await writeRaw(name, rows);
      written += taken.length;

      const good = rows.length + 1;
      const buckets: Record<string, number> = { [bucketOf(ours(good))]: 1 };
      for (const row of rows) {
        const [bucket] = (row as { k: ReturnType<typeof indexKeys> }).k.ready ?? [];
        if (bucket !== undefined) buckets[bucket] = (buckets[bucket] ?? 0) + 1;
      }
      await store.transact('strict', async (sheet) => {
        await sheet.put(ours(good));
        await sheet.putControl('book', { ...emptyBook, nextSeq: good + 1, buckets });
      });

      const { engine, transport, events, logs, all } = rig({ store });
      for (let look = 0; look < 3; look += 1) await engine.drain.wake('person');

      expect(logs.filter(({ event }) => event === 'error')).toEqual([]);
      expect(events.filter(({ type }) => type === 'error')).toEqual([]);
      for (const { url } of transport.sent) expect(new URL(url).origin).toBe(rigOrigin);
      const after = await all();
      expect(after.map(({ seq }) => seq)).toEqual([...taken, good]);
      expect(after.at(-1)?.state).toBe('delivered');
      // What cannot be read is listed as such, for whom it says it is.
      const lost = after.filter(({ dead, subject }) => dead?.reason === 'unreadable' && subject === '');
      const shelf = await store.transact('read', (sheet) => sheet.list({ subject: '', state: 'dead', limit: 1_000 }));
      expect(shelf.map(({ seq }) => seq)).toEqual(expect.arrayContaining(lost.map(({ seq }) => seq)));
      unreadable += lost.length;
      store.close();
    },
  );
  await fc.assert(property, { numRuns: rounds, endOnFailure: true });
  expect(written).toBeGreaterThan(2_000);
  expect(unreadable).toBeGreaterThan(500);
}, 120_000);
