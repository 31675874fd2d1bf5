import fc from 'fast-check';
import { plainAnswer } from '../answer';
import { claimed, finished, mayWrite, renewed, sight, takenOver } from '../record';
import type { StoredRecord } from '../record';
import type { Store } from '../store';
import { ask, handClock } from './asks';

/** One thing somebody does to one key, or the passing of time. */
export type StoreMove =
  | {
      readonly move: 'claim' | 'takeOver' | 'renew' | 'finish' | 'release';
      readonly by: string;
      readonly print: string;
    }
  | { readonly move: 'pass'; readonly ms: number };

const by = fc.constantFrom('a', 'b', 'c');
const print = fc.constantFrom('print', 'print', 'print', 'other');

/** Sequences that reach every state: the waits are about as long as a lease, a retention and a tombstone. */
export const movesArbitrary: fc.Arbitrary<StoreMove[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        move: fc.constantFrom('claim', 'claim', 'takeOver', 'renew', 'finish', 'release' as const),
        by,
        print,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        move: fc.constant('pass' as const),
        ms: fc.constantFrom(1, 9_999, 10_000, 100_000, 1_000_000),
      }),
    },
  ),
  { minLength: 1, maxLength: 25 },
);

/** Plays the moves on a store and on a plain record, and answers what each said to each move. */
export async function modelRun(
  store: Store,
  id: string,
  moves: readonly StoreMove[],
  pass: (ms: number) => void,
): Promise<{ expected: unknown[]; actual: unknown[] }> {
  const expected: unknown[] = [];
  const actual: unknown[] = [];
  const clock = handClock();
  let record: StoredRecord | undefined;
  let answers = 200;

  for (const step of moves) {
    const now = clock.now();
    if (step.move === 'pass') {
      clock.pass(step.ms);
      pass(step.ms);
      continue;
    }
    const asked = ask(id, step.by, step.print);
    switch (step.move) {
      case 'claim': {
        const [next, claim] = claimed(record, asked, now);
        record = next;
        expected.push(claim);
        actual.push(await store.claim(asked));
        break;
      }
      case 'takeOver': {
        const [next, claim] = takenOver(record, asked, 'a', now);
        record = next;
        expected.push(claim);
        actual.push(await store.takeOver(asked, 'a'));
        break;
      }
      case 'renew': {
        const may = mayWrite(record, step.by, now);
        if (may) record = renewed(record as StoredRecord, 10_000, now);
        expected.push(may);
        actual.push(await store.renew(id, step.by, 10_000));
        break;
      }
      case 'finish': {
        const answer = plainAnswer((answers += 1), [], 'body');
        const may = mayWrite(record, step.by, now);
        if (may) record = finished(record as StoredRecord, asked, answer, now);
        expected.push(may);
        actual.push(await store.finish(asked, answer));
        break;
      }
      case 'release': {
        const may = mayWrite(record, step.by, now);
        if (may) record = undefined;
        expected.push(may);
        actual.push(await store.release(id, step.by));
      }
    }
    expected.push(sight(record, now));
    actual.push(await store.look(id));
  }
  return { expected, actual };
}
