/** One measurement of one contender: a page, what it does, and with what. */
export interface Job {
  readonly contender: 'holdfast' | 'workbox' | 'serwist' | 'tanstack' | 'raw';
  readonly task: string;
  readonly options: Readonly<Record<string, string>>;
  /** An origin that is kept for all rounds; otherwise each run has one of its own. */
  readonly host?: string;
  /** Milliseconds or a rate a second, for the table. */
  readonly unit: '/s' | 'ms' | 'MB' | 'kB';
}

type Options = Readonly<Record<string, string | number>>;

function job(contender: Job['contender'], unit: Job['unit'], task: string, options: Options = {}, host?: string): Job {
  const strings = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]));
  return { contender, unit, task, options: strings, ...(host !== undefined && { host }) };
}

const strict = { durability: 'strict' };
const relaxed = { durability: 'relaxed' };
const seq = { count: 200 };
const hundreds = { count: 1_000 };
const noLane = { lane: 'none' };
const full = 'full';
const few = 'few';

export const jobs = {
  'seq holdfast strict': job('holdfast', '/s', 'enqueueInTurn', { ...seq, ...strict }),
  'seq holdfast relaxed': job('holdfast', '/s', 'enqueueInTurn', { ...seq, ...relaxed }),
  'seq workbox': job('workbox', '/s', 'enqueueInTurn', seq),
  'seq workbox, no sync registered': job('workbox', '/s', 'enqueueInTurn', { ...seq, sync: 'stubbed' }),
  'seq serwist': job('serwist', '/s', 'enqueueInTurn', seq),
  'seq tanstack': job('tanstack', '/s', 'enqueueInTurn', seq),
  'seq raw strict': job('raw', '/s', 'enqueueInTurn', { ...seq, ...strict }),
  'seq raw relaxed': job('raw', '/s', 'enqueueInTurn', { ...seq, ...relaxed }),
  'seq raw relaxed, in a worker': job('raw', '/s', 'enqueueInWorker', { ...seq, ...relaxed }),

  'c100 holdfast strict': job('holdfast', '/s', 'enqueueAtOnce', { ...hundreds, ...strict }),
  'c100 holdfast relaxed': job('holdfast', '/s', 'enqueueAtOnce', { ...hundreds, ...relaxed }),
  'c100 workbox': job('workbox', '/s', 'enqueueAtOnce', hundreds),
  'c100 workbox, no sync registered': job('workbox', '/s', 'enqueueAtOnce', { ...hundreds, sync: 'stubbed' }),
  'c100 serwist': job('serwist', '/s', 'enqueueAtOnce', hundreds),
  'c100 tanstack': job('tanstack', '/s', 'enqueueAtOnce', hundreds),
  'c100 raw strict': job('raw', '/s', 'enqueueAtOnce', { ...hundreds, ...strict }),
  'c100 raw relaxed': job('raw', '/s', 'enqueueAtOnce', { ...hundreds, ...relaxed }),

  'seq holdfast, empty': job('holdfast', '/s', 'enqueueInTurn', { ...seq, ...strict, ...noLane }),
  'seq holdfast, at 100k': job('holdfast', '/s', 'enqueueInTurn', { ...seq, ...strict, ...noLane }, full),

  'drain holdfast fifo': job('holdfast', '/s', 'drain', { count: 500 }),
  'drain holdfast c6': job('holdfast', '/s', 'drain', { count: 500, concurrency: 6, ...noLane }),
  'drain holdfast 1k': job('holdfast', '/s', 'drain', { count: 1_000 }),
  'drain holdfast 5k': job('holdfast', '/s', 'drain', { count: 5_000 }),
  'drain workbox': job('workbox', '/s', 'drain', { count: 500 }),
  'drain serwist': job('serwist', '/s', 'drain', { count: 500 }),
  'drain raw fetch, one at a time': job('raw', '/s', 'drain', { count: 500, width: 1 }),
  'drain raw fetch, six at a time': job('raw', '/s', 'drain', { count: 500, width: 6 }),

  'capture holdfast c50': job('holdfast', '/s', 'capture', { count: 500, ...strict, ...noLane }),
  'capture holdfast c50, one lane': job('holdfast', '/s', 'capture', { count: 500, ...strict }),
  'capture workbox c50': job('workbox', '/s', 'capture', { count: 500 }),

  'claim at 100k': job('holdfast', 'ms', 'claim', noLane, full),
  'claim at 100': job('holdfast', 'ms', 'claim', noLane, few),
  'first snapshot at 100k': job('holdfast', 'ms', 'snapshot', noLane, full),
  'first snapshot at 100': job('holdfast', 'ms', 'snapshot', noLane, few),
  'list 100 at 100k': job('holdfast', 'ms', 'list', noLane, full),
  'list 100 at 100': job('holdfast', 'ms', 'list', noLane, few),

  'get holdfast': job('holdfast', 'ms', 'gets', { count: 300, reads: 'bypass' }),
  'get holdfast beside others': job('holdfast', 'ms', 'gets', { count: 300 }),
  'get workbox': job('workbox', 'ms', 'gets', { count: 300 }),
  'get no worker': job('raw', 'ms', 'gets', { count: 300 }),
  'post holdfast': job('holdfast', 'ms', 'posts', { count: 300 }),
  'post workbox': job('workbox', 'ms', 'posts', { count: 300 }),
  'post no worker': job('raw', 'ms', 'posts', { count: 300 }),

  'photo holdfast': job('holdfast', 'ms', 'photo'),
  'photo workbox': job('workbox', 'ms', 'photo'),
  'photo holdfast, heap': job('holdfast', 'MB', 'photoHeap'),

  'following 1000 changes': job('holdfast', 'ms', 'follow', { count: 500, ...noLane }),
} as const satisfies Record<string, Job>;

export type JobName = keyof typeof jobs;

/** What must be there before jobs on a kept origin run. */
export const preparations: Readonly<Record<string, Job>> = {
  [full]: job('holdfast', '/s', 'fill', { count: 100_000, ...relaxed, ...noLane }, full),
  [few]: job('holdfast', '/s', 'fill', { count: 100, ...relaxed, ...noLane }, few),
};
