import { describe, expect, it } from 'vitest';
import { batch, each } from './batch';

/** A write that says what came together and answers when told to. */
function slowWrite() {
  const groups: string[][] = [];
  const open: (() => void)[] = [];
  return {
    groups,
    finish: () => open.shift()?.(),
    write: async (items: readonly string[]) => {
      groups.push([...items]);
      await new Promise<void>((resolve) => open.push(resolve));
      return items.map((item) => ({ value: item.toUpperCase() }));
    },
  };
}

/** As many turns of the microtask queue as anything here may take. */
async function turns(count = 50): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}

describe('a batch', () => {
  it('writes at once what comes in the same tick, then what came meanwhile, and answers each', async () => {
    const { groups, write, finish } = slowWrite();
    const { add } = batch(write);
    const first = [add('a'), add('b')];
    await turns();
    const second = [add('c'), add('d')];
    await turns();
    expect(groups).toEqual([['a', 'b']]);
    finish();
    expect(await Promise.all(first)).toEqual(['A', 'B']);
    await turns();
    expect(groups).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    finish();
    expect(await Promise.all(second)).toEqual(['C', 'D']);
    const third = add('e');
    await turns();
    finish();
    expect(await third).toBe('E');
  });

  it.each([
    [1, [['a'], ['b']]],
    [3, [['a', 'b']]],
  ])('with %d turns waits so long for others', async (wait, wanted) => {
    const { groups, write, finish } = slowWrite();
    const { add } = batch(write, { turns: wait });
    void add('a');
    await turns(2);
    void add('b');
    await turns();
    finish();
    await turns();
    expect(groups).toEqual(wanted);
  });

  it('takes no more than its limit at once, and waits for no others when that is reached', async () => {
    const { groups, write, finish } = slowWrite();
    const { add } = batch(write, { limit: 2, turns: 100 });
    for (const item of ['a', 'b', 'c']) void add(item);
    await turns(150);
    expect(groups).toEqual([['a', 'b']]);
    finish();
    await turns();
    expect(groups).toEqual([['a', 'b'], ['c']]);
  });

  it('takes 256 at once when nothing else is said', async () => {
    const { groups, write, finish } = slowWrite();
    const { add } = batch(write);
    for (let nth = 0; nth < 257; nth += 1) void add('x');
    await turns();
    finish();
    await turns();
    expect(groups.map(({ length }) => length)).toEqual([256, 1]);
  });

  it('tries each alone when a write of several fails, and tells only those that fail then', async () => {
    const seen: string[][] = [];
    const { add } = batch((items: readonly string[]) => {
      seen.push([...items]);
      return items.includes('bad')
        ? Promise.reject(new Error('no'))
        : Promise.resolve(items.map((item) => ({ value: item })));
    });
    const outcomes = await Promise.allSettled([add('a'), add('bad'), add('b')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(seen).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
  });

  it('tells each its own error, and one that got no answer that it got none', async () => {
    const { add } = batch<string, string>((items) =>
      Promise.resolve(items.slice(0, 2).map((item) => (item === 'a' ? { value: item } : { error: new Error('own') }))),
    );
    const [a, b, c] = await Promise.allSettled([add('a'), add('b'), add('c')]);
    expect(a).toEqual({ status: 'fulfilled', value: 'a' });
    expect(b).toMatchObject({ reason: { message: 'own' } });
    expect(c).toMatchObject({ reason: { message: expect.stringContaining('unanswered') as string } });
  });

  it('answers "undefined" as an answer like any other', async () => {
    const { add } = batch((items: readonly string[]) => Promise.resolve(items.map(() => ({ value: undefined }))));
    expect(await add('a')).toBeUndefined();
  });

  it('is idle when nothing is under way', async () => {
    const { write, finish } = slowWrite();
    const { add, idle } = batch(write);
    await idle();
    void add('a');
    let rests = false;
    const rest = idle().then(() => (rests = true));
    await turns();
    expect(rests).toBe(false);
    finish();
    await rest;
  });
});

it('work for each item keeps errors apart, and their order', async () => {
  const error = new Error('b');
  const outcomes = await each(['a', 'b', 'c'], (item) =>
    item === 'b' ? Promise.reject(error) : Promise.resolve(item),
  );
  expect(outcomes).toEqual([{ value: 'a' }, { error }, { value: 'c' }]);
});
