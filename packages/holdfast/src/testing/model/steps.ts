import * as fc from 'fast-check';
import { laneNames, places, routeNames } from './app';
import type { Stuck } from './finale';
import type { Mood } from './server';
import type { Act, Mishap, Scope, Step, Wish } from './step';

/*
 * What can happen in a history, and how often. Small numbers shrink to "the first tab", "the first row".
 */

const some = fc.nat({ max: 11 });
/** Left out so many times for each time it is there. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: times, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** A record without the fields that are undefined. */
function compact<T>(arbitrary: fc.Arbitrary<{ [K in keyof T]: T[K] | undefined }>): fc.Arbitrary<T> {
  return arbitrary.map(
    (value) => Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T,
  );
}

const mood: fc.Arbitrary<Mood> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Mood>({ do: 'work', answer: 'ok', takesMs: 0 }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('work' as const),
      answer: fc.constantFrom('ok', 'lost', 'error', 'silent'),
      takesMs: fc.constantFrom(0, 300, 3_000, 25_000, 45_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('refuse' as const), status: fc.constantFrom(422, 409, 412, 404, 401) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      status: fc.constantFrom(500, 502, 503, 429, 408),
      afterS: fc.constantFrom(null, 2, 30, 90),
    }),
  },
  { weight: 2, arbitrary: fc.constant<Mood>({ do: 'reset' }) },
  { weight: 1, arbitrary: fc.constant<Mood>({ do: 'hang' }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('captive' as const), how: fc.constantFrom('html', '511') }) },
);

export const someMoods = fc.array(mood, { minLength: 0, maxLength: 4 });

const wish: fc.Arbitrary<Wish> = compact<Wish>(
  fc.record({
    place: fc.nat({ max: places.length - 1 }),
    lane: rarely(fc.constantFrom('shared' as const, null), 4),
    priority: rarely(fc.constantFrom(0, 3, 7), 3),
    expiresInMs: rarely(fc.constantFrom(20_000, 300_000), 3),
    notBeforeMs: rarely(fc.constantFrom(5_000, 150_000), 3),
    dependsOn: rarely(some, 5),
    coalesce: rarely(fc.constant(true as const), 6),
    long: rarely(fc.constant(true as const), 4),
  }),
);

const scope: fc.Arbitrary<Scope> = fc.oneof(
  fc.constant<Scope>({}),
  fc.constantFrom(...routeNames).map((route): Scope => ({ route })),
  fc.constantFrom(...laneNames).map((lane): Scope => ({ lane })),
);

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 18, arbitrary: fc.record({ act: fc.constantFrom('fetch', 'add'), wish }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('wake' as const),
      why: fc.constantFrom('start', 'timer', 'online', 'visible', 'sync', 'person', 'message'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('pause' as const),
      scope,
      forMs: fc.constantFrom(null, 10_000, 600_000, 2 * 86_400_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('resume' as const), scope }) },
  {
    weight: 2,
    arbitrary: compact<Act>(
      fc.record({ act: fc.constant('edit' as const), row: some, place: rarely(fc.nat({ max: places.length - 1 }), 2) }),
    ),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('cancel' as const), row: some, evenIfUnknown: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: compact<Act>(
      fc.record({
        act: fc.constant('reprioritize' as const),
        lane: rarely(fc.constantFrom(...laneNames), 3),
        row: rarely(some, 3),
        priority: fc.constantFrom(0, 3, 7),
      }),
    ),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constantFrom('claim', 'replay', 'replay', 'close'), row: some }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('flush' as const), ignoreBackoff: fc.boolean(), force: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('transfer' as const) }) },
);

const mishap: fc.Arbitrary<Mishap> = fc.record({
  what: fc.constantFrom('kill', 'kill', 'freeze', 'rob'),
  after: fc.nat({ max: 40 }),
});

export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 26,
    arbitrary: fc
      .tuple(act, fc.nat({ max: 2 }), rarely(mishap, 14))
      .map(([what, tab, bad]): Step => ({ ...what, tab, ...(bad && { mishap: bad }) })),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      act: fc.constant('pass' as const),
      ms: fc.constantFrom(10, 1_000, 4_000, 20_000, 70_000, 400_000),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('line' as const),
      online: fc.boolean(),
      says: fc.boolean(),
      hint: fc.boolean(),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      act: fc.constant('server' as const),
      origin: fc.constantFrom(0, 1),
      moods: fc.array(mood, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('cost' as const), metered: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant<Step>({ act: 'open' }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('kill', 'freeze'), tab: fc.nat({ max: 2 }) }) },
  { weight: 2, arbitrary: fc.constant<Step>({ act: 'thaw' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ act: 'rob' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('jump' as const),
      ms: fc.constantFrom(-3 * 86_400_000, 10 * 86_400_000, -3_600_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('storage' as const), failing: fc.integer({ min: 1, max: 6 }) }),
  },
);

export const stuck: fc.Arbitrary<Stuck> = fc.oneof(
  fc.constant<Stuck>({ what: 'nothing' }),
  fc.constant<Stuck>({ what: 'large' }),
  fc.record({ what: fc.constant('lane' as const), lane: fc.constantFrom(...laneNames) }),
  fc.record({
    what: fc.constant('origin' as const),
    origin: fc.constantFrom(0, 1),
    mood: fc.constantFrom<Mood>(
      { do: 'reset' },
      { do: 'hang' },
      { do: 'fail', status: 503, afterS: 90 },
      { do: 'fail', status: 500, afterS: null },
      { do: 'captive', how: 'html' },
    ),
  }),
);
