import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainAnswer } from '../answer';
import type { Store } from '../store';
import { allBytes, ask, handClock } from '../testing/asks';
import { modelRun, movesArbitrary } from '../testing/store-model';

let ids = 0;

/** A name no other test in this store has used. */
function newId(): string {
  return `id-${(ids += 1)}-${process.pid}`;
}

/**
 * What every store must do. `open` answers a store on the same data every time it is called, with the clock it is given.
 *
 * @param open.sweeps false where old records vanish by themselves and a sweep has nothing to do
 */
export function storeContract(open: (clock: () => number) => Promise<Store>, sweeps = true): void {
  async function rig(): Promise<{ store: Store; id: string; pass: (ms: number) => void }> {
    const { now, pass } = handClock();
    return { store: await open(now), id: newId(), pass };
  }

  it('gives a key to one claimant and tells the others that it runs', async () => {
    const { store, id } = await rig();
    expect(await store.claim(ask(id, 'a'))).toEqual({ kind: 'claimed', runs: 1 });
    expect(await store.claim(ask(id, 'b', 'other'))).toEqual({ kind: 'running', fingerprint: 'print', leftMs: 10_000 });
    expect(await store.look(id)).toMatchObject({ kind: 'running' });
  });

  it('gives a key to exactly one of many who claim at the same time', async () => {
    const { store, id } = await rig();
    const claims = await Promise.all(Array.from({ length: 64 }, (_, n) => store.claim(ask(id, `owner-${n}`))));
    expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    expect(claims.filter(({ kind }) => kind === 'running')).toHaveLength(63);
  });

  it('keeps an answer byte for byte', async () => {
    const { store, id } = await rig();
    await store.claim(ask(id, 'a'));
    expect(await store.finish(ask(id, 'a'), allBytes)).toBe(true);
    const seen = await store.claim(ask(id, 'b'));
    expect(seen).toEqual({ kind: 'done', fingerprint: 'print', answer: allBytes, answeredAt: handClock().now() });
  });

  it('tells an answer without a body from one with an empty body, and from one whose body was not kept', async () => {
    const { store, id } = await rig();
    const answers = [
      plainAnswer(204, [], null),
      plainAnswer(200, [], ''),
      { ...plainAnswer(200, [['etag', '"1"']], null), bodyKept: false },
    ];
    for (const [n, answer] of answers.entries()) {
      await store.claim(ask(`${id}-${n}`, 'a'));
      await store.finish(ask(`${id}-${n}`, 'a'), answer);
      expect(await store.look(`${id}-${n}`)).toMatchObject({ kind: 'done', answer });
    }
  });

  it('lets only the owner renew, finish or release, and only until it is answered', async () => {
    const { store, id } = await rig();
    await store.claim(ask(id, 'a'));
    expect(await store.renew(id, 'b', 10_000)).toBe(false);
    expect(await store.finish(ask(id, 'b'), allBytes)).toBe(false);
    expect(await store.release(id, 'b')).toBe(false);
    expect(await store.finish(ask(id, 'a'), allBytes)).toBe(true);
    expect(await store.renew(id, 'a', 10_000)).toBe(false);
    expect(await store.release(id, 'a')).toBe(false);
    expect(await store.finish(ask(id, 'a'), plainAnswer(500, [], null))).toBe(false);
    expect(await store.look(id)).toMatchObject({ kind: 'done', answer: { status: 201 } });
  });

  it('frees a released key', async () => {
    const { store, id } = await rig();
    await store.claim(ask(id, 'a'));
    expect(await store.release(id, 'a')).toBe(true);
    expect(await store.look(id)).toEqual({ kind: 'absent' });
    expect(await store.claim(ask(id, 'b', 'other'))).toEqual({ kind: 'claimed', runs: 1 });
  });

  it('calls a claim unknown once its lease is over, and as long as it is renewed not', async () => {
    const { store, id, pass } = await rig();
    await store.claim(ask(id, 'a'));
    pass(9_999);
    expect(await store.renew(id, 'a', 10_000)).toBe(true);
    pass(9_999);
    expect(await store.look(id)).toEqual({ kind: 'running', fingerprint: 'print', leftMs: 1 });
    pass(1);
    expect(await store.claim(ask(id, 'b'))).toEqual({ kind: 'unknown', fingerprint: 'print', owner: 'a' });
  });

  it('lets one of many take over a claim whose lease is over, and shuts the old owner out', async () => {
    const { store, id, pass } = await rig();
    await store.claim(ask(id, 'a'));
    expect(await store.takeOver(ask(id, 'b'), 'a')).toMatchObject({ kind: 'running' });
    pass(10_000);
    expect(await store.takeOver(ask(id, 'b', 'other'), 'a')).toMatchObject({ kind: 'unknown', owner: 'a' });
    expect(await store.takeOver(ask(id, 'b'), 'nobody')).toMatchObject({ kind: 'unknown', owner: 'a' });
    const taken = await Promise.all(Array.from({ length: 16 }, (_, n) => store.takeOver(ask(id, `taker-${n}`), 'a')));
    expect(taken.filter(({ kind }) => kind === 'claimed')).toEqual([{ kind: 'claimed', runs: 2 }]);
    expect(await store.renew(id, 'a', 10_000)).toBe(false);
    expect(await store.finish(ask(id, 'a'), allBytes)).toBe(false);
    expect(await store.release(id, 'a')).toBe(false);
    expect(await store.look(id)).toMatchObject({ kind: 'running' });
  });

  it('lets a late owner finish if nobody has taken over', async () => {
    const { store, id, pass } = await rig();
    await store.claim(ask(id, 'a'));
    pass(50_000);
    expect(await store.finish(ask(id, 'a'), allBytes)).toBe(true);
    expect(await store.look(id)).toMatchObject({ kind: 'done' });
  });

  it('drops an answer after its retention, still knows the key, and in the end forgets it', async () => {
    const { store, id, pass } = await rig();
    await store.claim(ask(id, 'a'));
    pass(9_000);
    await store.finish(ask(id, 'a'), allBytes);
    pass(99_999);
    expect(await store.look(id)).toMatchObject({ kind: 'done' });
    pass(1);
    expect(await store.claim(ask(id, 'b', 'other'))).toEqual({ kind: 'gone' });
    pass(999_999);
    expect(await store.claim(ask(id, 'b'))).toEqual({ kind: 'gone' });
    pass(1);
    expect(await store.look(id)).toEqual({ kind: 'absent' });
    expect(await store.claim(ask(id, 'b', 'other'))).toEqual({ kind: 'claimed', runs: 1 });
  });

  it('counts by state', async () => {
    const { store, pass } = await rig();
    pass(10_000_000); // past whatever other tests left
    await store.claim(ask(newId(), 'a'));
    pass(10_000);
    await store.claim(ask(newId(), 'a'));
    const done = ask(newId(), 'a');
    await store.claim(done);
    await store.finish(done, allBytes);
    expect(await store.stats()).toEqual({ running: 1, unknown: 1, done: 1, gone: 0 });
    pass(100_000);
    expect(await store.stats()).toEqual({ running: 0, unknown: 0, done: 0, gone: 3 });
  });

  if (sweeps)
    it('sweeps no more than it is told to, and nothing that is still wanted', async () => {
      const { store, pass } = await rig();
      pass(20_000_000);
      while ((await store.sweep(500)) > 0); // whatever other tests left
      const asks = Array.from({ length: 5 }, () => ask(newId(), 'a'));
      for (const each of asks) {
        await store.claim(each);
        await store.finish(each, allBytes);
      }
      expect(await store.sweep(100)).toBe(0);
      pass(100_000);
      const young = ask(newId(), 'a');
      await store.claim(young);
      await store.finish(young, allBytes);
      expect(await store.sweep(3)).toBe(3);
      expect(await store.sweep(100)).toBe(2);
      expect(await store.stats()).toMatchObject({ done: 1, gone: 5 });
      pass(1_000_000);
      expect(await store.sweep(4)).toBe(4);
      expect(await store.sweep(100)).toBe(2); // the fifth is forgotten, the young one's answer is dropped
      expect(await store.look(young.id)).toEqual({ kind: 'gone' });
    });

  it('does after any sequence of moves what the plain record does', async () => {
    await fc.assert(
      fc.asyncProperty(movesArbitrary, async (moves) => {
        const { store, id, pass } = await rig();
        const { expected, actual } = await modelRun(store, id, moves, pass);
        expect(actual).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });
}
