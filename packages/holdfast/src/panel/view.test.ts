import { describe, expect, it } from 'vitest';
import type { OutboxSnapshot } from '../core/snapshot';
import { deadEntry, deliveredEntry, entry, look, noon, sendingEntry } from './fixtures/entries';
import { formatFor } from './format';
import type { Telling } from './row';
import { arrange, panelView } from './view';
import { english } from './words/english';

const telling: Telling = { words: english, format: formatFor('en'), now: noon };
const view = (snapshot: OutboxSnapshot): ReturnType<typeof panelView> => panelView(snapshot, telling);
const numbers = (snapshot: OutboxSnapshot): Record<string, number> =>
  Object.fromEntries(view(snapshot).tiles.map(({ group, n }) => [group, n]));

describe('what stands above the list', () => {
  it('counts what waits apart from what needs attention, and never claims that all is sent', () => {
    const offline = look([...Array.from({ length: 4 }, () => entry()), deadEntry()], { connectivity: 'offline' });
    expect(numbers(offline)).toEqual({ attention: 1, sending: 0, waiting: 4, confirmed: 0 });
    expect(view(offline)).toMatchObject({ tone: 'held', now: english.now.offline, oldest: 'Oldest: 3 min' });
  });

  it('still shows the dead one after the waiting ones were delivered', () => {
    const after = look([...Array.from({ length: 4 }, () => deliveredEntry()), deadEntry()]);
    expect(numbers(after)).toEqual({ attention: 1, sending: 0, waiting: 0, confirmed: 4 });
    expect(view(after)).toMatchObject({ tone: 'attention', now: english.now.attention, oldest: '' });
  });

  it('says nothing about the server before the store was looked at', () => {
    const status = { ...look([]).status, durability: 'memory', protected: false } as const;
    expect(view(look([], { ready: false, status }))).toMatchObject({ now: english.now.looking, notices: [] });
  });

  it.each([
    ['nothing there', look([]), 'calm', english.now.empty],
    ['all confirmed', look([deliveredEntry()]), 'done', english.now.allConfirmed],
    ['something being sent', look([sendingEntry(), entry()]), 'busy', english.now.sending],
    ['waiting for its time', look([entry()]), 'calm', 'Next attempt in 12 seconds.'],
    ['due already', look([entry({ dueAt: noon - 1 })]), 'calm', english.now.waiting],
    ['offline and nothing waits', look([], { connectivity: 'offline' }), 'held', english.now.offlineEmpty],
    ['paused', look([entry()], { paused: { until: null } }), 'held', english.now.paused],
    [
      'paused for a while',
      look([entry()], { paused: { until: noon + 60_000 } }),
      'held',
      'Paused, goes on in 1 minute.',
    ],
    ['a pause that is over', look([entry()], { paused: { until: noon - 1 } }), 'held', english.now.paused],
    [
      'signed out while paused',
      look([entry()], { signInNeeded: true, paused: { until: null } }),
      'held',
      english.now.signIn,
    ],
  ] as const)('tells what happens now: %s', (_what, snapshot, tone, now) => {
    expect(view(snapshot)).toMatchObject({ tone, now });
  });

  it('does not say saved of what is only in memory', () => {
    const offline = look([entry()], { connectivity: 'offline' });
    expect(panelView(offline, { ...telling, memory: true }).now).toBe(english.now.offlineMemory);
  });

  it('warns of what this browser cannot keep, the worst first', () => {
    const status = {
      durability: 'memory',
      persisted: 'no',
      sender: 'page',
      protected: false,
      backgroundSync: false,
      limits: [
        { code: 'no-background-sync', message: 'Requests go out only while the app is open.' },
        { code: 'no-worker', message: 'told by the notice' },
        { code: 'evicted', message: 'The browser removed the requests stored here since 2026-01-02.' },
      ],
    } as const;
    const snapshot = look([], { status, suspects: ['https://files.example'] });
    const { notices, limits } = panelView(snapshot, telling, 'quota-exceeded');
    expect(notices.map(({ code, tone }) => [code, tone])).toEqual([
      ['storageFull', 'danger'],
      ['evicted', 'danger'],
      ['memory', 'danger'],
      ['unprotected', 'warn'],
      ['suspect https://files.example', 'warn'],
    ]);
    expect(notices.at(-1)?.text).toContain('https://files.example never answers');
    expect(limits).toEqual([
      'Requests go out only while the app is open.',
      'The browser removed the requests stored here since 2026-01-02.',
    ]);
  });
});

describe('arrange', () => {
  it('lists what waits in the order it will be sent, and what is over newest first', () => {
    const grouped = arrange([
      [entry({ id: 'b', seq: 9 }), entry({ id: 'a', seq: 4 })],
      [
        deliveredEntry({ id: 'old', finishedAt: noon - 9_000 }),
        deliveredEntry({ id: 'new', finishedAt: noon - 1_000 }),
        deadEntry({ id: 'shut' }, { triage: 'closed' }),
      ],
    ]);
    const ids = Object.fromEntries([...grouped].map(([group, list]) => [group, list.map(({ id }) => id)]));
    expect(ids).toEqual({ waiting: ['a', 'b'], confirmed: ['new', 'old'], closed: ['shut'] });
  });

  it('believes the later revision where a page and the snapshot disagree', () => {
    const read = entry({ id: 'x', revision: 1 });
    const grouped = arrange([[read], [deliveredEntry({ id: 'x', revision: 2 })]]);
    expect([...grouped.keys()]).toEqual(['confirmed']);
    expect([...arrange([[deliveredEntry({ id: 'x', revision: 2 })], [read]]).keys()]).toEqual(['confirmed']);
  });
});
