import { describe, expect, it } from 'vitest';
import type { Entry } from '../core/entry';
import { indexKeys } from '../core/index-keys';
import { sampleEntry } from '../testing/sample-entry';
import { readRow } from './read-row';
import type { Row } from './schema';

const rowOf = (entry: Entry): Row => ({ ...entry, k: indexKeys(entry) });
const dead = sampleEntry(1, { state: 'dead', dead: { reason: 'expired', message: '', at: 1, triage: 'open' } });

/** Everything the code relies on, and something that cannot stand in its place. */
const damages: readonly (readonly [field: string, value: unknown])[] = [
  ...['id', 'key', 'route', 'subject'].map((field) => [field, 5] as const),
  ...['v', 'revision', 'priority', 'dueAt', 'createdAt', 'attempts', 'tries', 'replays'].flatMap((field) => [
    [field, '5'] as const,
    [field, NaN] as const,
  ]),
  ['lane', 5],
  ['head', 'yes'],
  ['spent', undefined],
  ['history', {}],
  ['state', 'lost'],
  ['outcome', 'maybe'],
  ['request', 'POST /'],
  ['request', { ...sampleEntry(1).request, method: 5 }],
  ['request', { ...sampleEntry(1).request, url: undefined }],
  ['request', { ...sampleEntry(1).request, headers: 'a: b' }],
  ['body', undefined],
  ['body', { kind: 'elsewhere', size: 1, type: '' }],
  ['body', { kind: 'apart', size: '1', type: '' }],
  ['body', { kind: 'inline', size: 1, type: '', bytes: 'x' }],
  ['body', { kind: 'none', size: 1, type: 5 }],
  ['body', { kind: 'none', size: 1, type: '', sealed: true }],
  ['request', { ...sampleEntry(1).request, headers: ['a: b'] }],
  ['request', { ...sampleEntry(1).request, headers: [['a', 5]] }],
  ['request', { ...sampleEntry(1).request, mode: undefined }],
  ['spent', null],
  ['spent', { server: 'often' }],
  ['createdAt', 1e300],
  ['history', [null]],
  ['history', [{ class: 'server', status: 503, message: '', at: 1e300, tookMs: 1 }]],
  ['lease', { owner: 'tab', token: 1 }],
  ['answer', { status: 200, headers: {}, at: 1 }],
  ['parents', { a: null }],
  ...['dependsOn', 'waitsFor', 'children'].map((field) => [field, true] as const),
  ...['title', 'supersedes'].map((field) => [field, {}] as const),
  ...['notBefore', 'expiresAt', 'finishedAt', 'parkedUntil', 'askedUntil'].map((field) => [field, 'soon'] as const),
];

describe('a sound row', () => {
  it('is its entry and nothing else', () => {
    expect(readRow(rowOf(sampleEntry(1)))).toEqual(sampleEntry(1));
    expect(readRow(rowOf(dead))).toEqual(dead);
    expect(readRow(rowOf(sampleEntry(1, { lane: null })))).toEqual(sampleEntry(1, { lane: null }));
  });

  it('of a newer version is read all the same', () => {
    expect(readRow({ ...rowOf(sampleEntry(1)), v: 2, more: 1 } as never)).toEqual({ ...sampleEntry(1), v: 2, more: 1 });
  });
});

describe('a damaged row', () => {
  for (const [field, value] of damages) {
    it(`(${field}: ${JSON.stringify(value)}) is a dead letter with its raw content`, () => {
      const row = { ...rowOf(sampleEntry(7)), [field]: value } as Row;
      expect(readRow(row)).toMatchObject({
        seq: 7,
        state: 'dead',
        dead: { reason: 'unreadable', triage: 'open' },
        raw: row,
      });
    });
  }

  it('(dead without a reason) is one too', () => {
    expect(readRow({ ...rowOf(dead), dead: {} } as never)).toMatchObject({ dead: { reason: 'unreadable' } });
  });

  it('is itself a sound row once it is put aside', () => {
    const once = { ...readRow({ ...rowOf(sampleEntry(7)), state: 'lost' } as never), finishedAt: 9 };
    expect(readRow(rowOf(once))).toEqual(once);
  });

  it('keeps what can still be understood', () => {
    const row = { ...rowOf(sampleEntry(7)), state: 'lost', outcome: 'answered', tries: 3 } as never;
    expect(readRow(row)).toMatchObject({
      id: 'entry-7',
      key: 'key-7',
      subject: 'ann',
      route: 'orders',
      outcome: 'answered',
      tries: 3,
      request: { method: 'POST', url: 'https://api.example/orders' },
      body: { kind: 'inline', size: 2 },
    });
  });
});
