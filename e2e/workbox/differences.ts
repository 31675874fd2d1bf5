import type { Seen } from './seen.ts';

/** A probe on which the two libraries are meant to differ. */
export interface Difference {
  /** As the table of `docs/moving-from-workbox.md` names it. */
  readonly name: string;
  readonly workbox: Seen;
  readonly holdfast: Seen;
}

const done: Seen = { resolved: null };

/** Workbox counts it as delivered; we keep it, and what stands behind it. */
const kept: Difference = {
  name: '5xx, 408 and 429 are kept',
  workbox: { ended: done, sent: ['/1', '/2'], left: [] },
  holdfast: { ended: { rejected: 'queue-replay-failed' }, sent: ['/1'], left: ['/1', '/2'] },
};

/** Every difference, by the probe that shows it. On every other probe the two must show the same. */
export const differences: Readonly<Record<string, Difference>> = {
  'unshifting twice': {
    name: 'Unshift always puts in front',
    workbox: ['/b', '/c', '/a'],
    holdfast: ['/a', '/b', '/c'],
  },
  'a HEAD request': {
    name: 'HEAD can be sent again',
    workbox: 'all are lost to: TypeError',
    holdfast: ['/head', '/next'],
  },
  'an answer of 500': kept,
  'an answer of 503': kept,
  'an answer of 408': kept,
  'an answer of 429': kept,
  'the key of a request, on each try': {
    name: 'The same key on every try',
    workbox: { tries: 2, has: false, same: true },
    holdfast: { tries: 2, has: true, same: true },
  },
  'two replays at once': {
    name: 'Replays never overlap',
    workbox: { ended: [done, done], left: 0, oneAtATime: false },
    holdfast: { ended: [done, done], left: 0, oneAtATime: true },
  },
  'an onSync that fails with something that is no Error': {
    name: 'Any rejection is a failure',
    workbox: done,
    holdfast: { rejected: 'not an Error: a word' },
  },
  'registering again after something was added during a sync': {
    name: 'The last chance is not the last',
    workbox: {
      added: 1,
      'added, then failed': 0,
      'added, then failed for the last time': 1,
      'nothing added': 0,
      'failed for the last time, nothing added': 0,
    },
    holdfast: {
      added: 1,
      'added, then failed': 0,
      'added, then failed for the last time': 1,
      'nothing added': 0,
      'failed for the last time, nothing added': 1,
    },
  },
  'two that are put back after both failed': {
    name: 'Put back means back in place',
    workbox: ['/2', '/1', '/3'],
    holdfast: ['/1', '/2', '/3'],
  },
};
