import type { Lock } from '../ports';
import { same } from './expectation';
import type { StoreCheck } from './store.contract';

/** A promise and how to keep it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  return { opened: new Promise<void>((resolve) => (open = resolve)), open: () => open() };
}

/** What every lock must keep. @param makeLock two handles on one table of locks, as two contexts have */
export function lockContract(makeLocks: () => readonly [Lock, Lock]): readonly StoreCheck[] {
  const checks: readonly (readonly [title: string, check: (a: Lock, b: Lock) => Promise<void>])[] = [
    [
      'gives back what the work returned',
      async (a) => same(await a.hold('x', { wait: true }, async () => 7), { held: true, value: 7 }, 'value'),
    ],
    [
      'is held by one at a time, in the order it was asked for',
      async (a, b) => {
        const seen: string[] = [];
        const inside = gate();
        const door = gate();
        const first = a.hold('x', { wait: true }, async () => {
          seen.push('a in');
          inside.open();
          await door.opened;
          seen.push('a out');
        });
        await inside.opened;
        const second = b.hold('x', { wait: true }, async () => void seen.push('b'));
        const third = a.hold('x', { wait: true }, async () => void seen.push('a again'));
        same(await b.hold('x', { wait: false }, async () => seen.push('no')), { held: false }, 'without waiting');
        door.open();
        await Promise.all([first, second, third]);
        same(seen, ['a in', 'a out', 'b', 'a again'], 'order');
      },
    ],
    [
      'of one name does not hold up another',
      async (a, b) => {
        const inner = await a.hold('x', { wait: true }, () => b.hold('y', { wait: false }, async () => 'both'));
        same(inner, { held: true, value: { held: true, value: 'both' } }, 'nested');
      },
    ],
    [
      'is let go when the work throws, and the error is handed on',
      async (a, b) => {
        const error = new Error('of the work');
        const caught = await a
          .hold('x', { wait: true }, () => Promise.reject(error))
          .catch((reason: unknown) => reason);
        if (caught !== error) throw new Error('expected the same error object');
        same(await b.hold('x', { wait: false }, async () => 1), { held: true, value: 1 }, 'free again');
      },
    ],
    [
      'never lets a thief believe that he is alone while the robbed work goes on, nor whoever comes after him',
      async (a, b) => {
        const inside = gate();
        const door = gate();
        const robbed = a.hold('x', { wait: true }, async () => {
          inside.open();
          await door.opened;
        });
        await inside.opened;
        const thief = await b.hold('x', { wait: false, steal: true }, async ({ alone }) => alone);
        same(thief, { held: true, value: false }, 'the thief');
        const next = await b.hold('x', { wait: false }, async ({ alone }) => alone);
        same(next, { held: true, value: false }, 'the next');
        door.open();
        await robbed;
      },
    ],
    [
      'can be stolen: the robbed work goes on, is told, and its result still comes',
      async (a, b) => {
        const inside = gate();
        const door = gate();
        const robbed = a.hold('x', { wait: true }, async (lost) => {
          const before = lost.lost;
          inside.open();
          await door.opened;
          return [before, lost.lost];
        });
        await inside.opened;
        const thief = await b.hold('x', { wait: false, steal: true }, async (lost) => lost.lost);
        same(thief, { held: true, value: false }, 'the thief');
        door.open();
        same(await robbed, { held: true, value: [false, true] }, 'the robbed');
        same(await b.hold('x', { wait: false }, async () => 1), { held: true, value: 1 }, 'free afterwards');
      },
    ],
  ];
  return checks.map(([title, check]) => ({ title, run: () => check(...makeLocks()) }));
}
