import type { JobName } from './jobs.ts';

/** One figure that is promised: which measurements it needs, and how it comes out of one round of them. */
export interface Key {
  readonly goal: { readonly is: '>=' | '<='; readonly value: number };
  readonly of: readonly JobName[];
  readonly figure: (...values: number[]) => number;
}

const atLeast = (value: number): Key['goal'] => ({ is: '>=', value });
const atMost = (value: number): Key['goal'] => ({ is: '<=', value });

/** The first rate by the second: above 1 is faster. */
const ratio = (goal: Key['goal'], one: JobName, other: JobName): Key => ({
  goal,
  of: [one, other],
  figure: (mine = NaN, theirs = NaN) => mine / theirs,
});

const itself = (goal: Key['goal'], of: JobName): Key => ({ goal, of: [of], figure: (value = NaN) => value });

export const keys: Readonly<Record<string, Key>> = {
  'enqueue.seq.strict.vsWorkbox': ratio(atLeast(1.2), 'seq holdfast strict', 'seq workbox'),
  'enqueue.seq.relaxed.vsWorkbox': ratio(atLeast(3), 'seq holdfast relaxed', 'seq workbox'),
  'enqueue.c100.strict.vsWorkbox': ratio(atLeast(8), 'c100 holdfast strict', 'c100 workbox'),
  'enqueue.c100.relaxed.vsWorkbox': ratio(atLeast(20), 'c100 holdfast relaxed', 'c100 workbox'),
  'enqueue.c100.relaxed.vsTanstack': ratio(atLeast(3), 'c100 holdfast relaxed', 'c100 tanstack'),
  // Time by time, so the rates the other way round.
  'enqueue.at100k.vsEmpty': ratio(atMost(1.2), 'seq holdfast, empty', 'seq holdfast, at 100k'),
  'drain.fifo.vsWorkbox': ratio(atLeast(2.3), 'drain holdfast fifo', 'drain workbox'),
  'drain.fifo.vsRawFetch': ratio(atLeast(0.85), 'drain holdfast fifo', 'drain raw fetch, one at a time'),
  'drain.c6.vsWorkbox': ratio(atLeast(4), 'drain holdfast c6', 'drain workbox'),
  'drain.c6.vsRawFetch': ratio(atLeast(0.75), 'drain holdfast c6', 'drain raw fetch, six at a time'),
  'drain.5k.vs1k': ratio(atLeast(0.9), 'drain holdfast 5k', 'drain holdfast 1k'),
  'offlineCapture.c50.vsWorkbox': ratio(atLeast(2), 'capture holdfast c50', 'capture workbox c50'),
  'claim.at100k.vsAt100': ratio(atMost(1.3), 'claim at 100k', 'claim at 100'),
  'firstSnapshot.at100k.vsAt100': ratio(atMost(1.3), 'first snapshot at 100k', 'first snapshot at 100'),
  'list100.at100k.vsAt100': ratio(atMost(1.3), 'list 100 at 100k', 'list 100 at 100'),
  'unmatched.get.vsNoWorker': ratio(atMost(1.05), 'get holdfast', 'get no worker'),
  'live.post.vsNoWorker': ratio(atMost(1.7), 'post holdfast', 'post no worker'),
  'capture.blob5MB.vsWorkbox': ratio(atMost(0.5), 'photo holdfast', 'photo workbox'),
  'capture.blob5MB.heapMB': itself(atMost(8), 'photo holdfast, heap'),
  'channel.1000changes.pageMs': itself(atMost(60), 'following 1000 changes'),
};

/** Sizes are the same in every round. */
export const sizeKeys: Readonly<
  Record<string, { readonly goal: Key['goal']; readonly door: string; readonly use: string }>
> = {
  'size.sw': { goal: atMost(9), door: 'holdfast/sw', use: 'installOutbox' },
  'size.page': { goal: atMost(7), door: 'holdfast/page', use: 'openOutbox' },
};

/** What is shown beside the contenders of a key, though no figure is made of it. */
export const companions: Readonly<Record<string, readonly JobName[]>> = {
  'enqueue.seq': [
    'seq workbox, no sync registered',
    'seq serwist',
    'seq tanstack',
    'seq raw strict',
    'seq raw relaxed',
    'seq raw relaxed, in a worker',
  ],
  'enqueue.c100': ['c100 workbox, no sync registered', 'c100 serwist', 'c100 raw strict', 'c100 raw relaxed'],
  'drain.fifo': ['drain serwist'],
  offlineCapture: ['capture holdfast c50, one lane'],
  unmatched: ['get holdfast beside others', 'get workbox'],
  live: ['post workbox'],
};
