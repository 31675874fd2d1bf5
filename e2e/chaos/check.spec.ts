import { describe, expect, it } from 'vitest';
import { check } from './check.ts';
import type { Effect, Held, Told } from './intent.ts';

/** A write as a page tells of it: begun and told a second apart, each later than the one before. */
function write(nth: number, more: Partial<Told> = {}): Told {
  const begunAt = nth * 10_000;
  const page = more.page ?? 'p';
  return {
    intent: `${page}-${nth}`,
    lane: 'a',
    door: 'fetch',
    page,
    nth,
    begunAt,
    toldAt: begunAt + 1_000,
    kind: 'queued',
    ...more,
  };
}

const effectsOf = (told: readonly Told[]): Effect[] => told.map(({ intent }) => ({ intent, key: `key of ${intent}` }));
const told = Array.from({ length: 20 }, (_, nth) => write(nth));
const none = { lost: 0, duplicatedEffects: 0, laneViolations: 0, stuck: 0, falselyAccepted: 0 };

describe('the checker', () => {
  it('has nothing to say about a run that kept every promise', () => {
    expect(check(told, effectsOf(told), [])).toEqual({
      ...none,
      accepted: 20,
      delivered: 20,
      dead: 0,
      lostByBrowser: 0,
      findings: [],
    });
  });

  it('finds a planted loss', () => {
    const effects = effectsOf(told).filter(({ intent }) => intent !== 'p-7');
    expect(check(told, effects, [])).toMatchObject({ ...none, delivered: 19, lost: 1 });
    expect(check(told, effects, []).findings).toEqual(['lost: p-7 (fetch), held by nobody']);
  });

  it('tells apart what the browser threw away with its whole store, and what was lost after it began anew', () => {
    const effects = effectsOf(told).filter(({ intent }) => !['p-3', 'p-7'].includes(intent));
    const between = told[5]!.toldAt;
    expect(check(told, effects, [], between)).toMatchObject({ ...none, delivered: 18, lostByBrowser: 1, lost: 1 });
    expect(check(told, effects, [], between).findings).toEqual(['lost: p-7 (fetch), held by nobody']);
  });

  it('takes a listed dead letter for what it is, and a waiting one for stuck', () => {
    const effects = effectsOf(told).filter(({ intent }) => intent !== 'p-7');
    const held = (state: Held['state']): Held[] => [{ intent: 'p-7', state }];
    expect(check(told, effects, held('dead'))).toMatchObject({ ...none, dead: 1 });
    expect(check(told, effects, held('pending'))).toMatchObject({ ...none, stuck: 1 });
    expect(check(told, effects, held('sending'))).toMatchObject({ ...none, stuck: 1 });
  });

  it('finds a planted duplicate, whatever key it went under, also of a write nobody was told about', () => {
    const again = [...effectsOf(told), { intent: 'p-3', key: 'another key' }];
    expect(check(told, again, [])).toMatchObject({ ...none, duplicatedEffects: 1 });
    const untold = [...effectsOf(told), { intent: 'q-1', key: 'k' }, { intent: 'q-1', key: 'k' }];
    expect(check(told, untold, [])).toMatchObject({ ...none, duplicatedEffects: 1 });
  });

  it('finds a planted reorder', () => {
    const effects = effectsOf(told);
    const swapped = [...effects.slice(0, 4), effects[5]!, effects[4]!, ...effects.slice(6)];
    expect(check(told, swapped, [])).toMatchObject({ ...none, laneViolations: 1 });
    expect(check(told, swapped, []).findings).toEqual(['overtook: p-5 (fetch) passed p-4 (fetch) in a']);
  });

  it('finds a reorder between two pages when one was told before the other began', () => {
    const pages = [write(1, { page: 'p' }), write(2, { page: 'q' })];
    expect(check(pages, effectsOf(pages).reverse(), [])).toMatchObject({ ...none, laneViolations: 1 });
  });

  it('finds a reorder within a burst of one page through one door', () => {
    const burst = [1, 2, 3].map((nth) => write(nth, { begunAt: 10_000, toldAt: 20_000 }));
    expect(check(burst, effectsOf(burst).reverse(), [])).toMatchObject({ ...none, laneViolations: 2 });
  });

  it('expects no order of what was under way at the same time, of other lanes, and of what has no lane', () => {
    const sameTime = [
      write(1, { page: 'p', begunAt: 1, toldAt: 50 }),
      write(1, { page: 'q', begunAt: 20, toldAt: 90 }),
    ];
    const otherLanes = [write(1), write(2, { lane: 'b' })];
    const noLane = [write(1, { lane: null }), write(2, { lane: null })];
    for (const writes of [sameTime, otherLanes, noLane]) {
      expect(check(writes, effectsOf(writes).reverse(), [])).toMatchObject(none);
    }
  });

  it('expects nothing of a write whose page was told that it failed or was refused', () => {
    const failed = [write(1, { kind: 'failed' }), write(2, { kind: 'refused' }), write(3)];
    expect(check(failed, effectsOf(failed.slice(2)), [])).toMatchObject({ ...none, accepted: 1 });
    expect(check(failed, effectsOf([...failed].reverse()), [])).toMatchObject(none);
  });

  it('finds a "done" that was not', () => {
    const lie = [write(1, { kind: 'done' })];
    expect(check(lie, [], [])).toMatchObject({ ...none, falselyAccepted: 1 });
    expect(check(lie, [], [{ intent: 'p-1', state: 'dead' }])).toMatchObject({ ...none, falselyAccepted: 1, dead: 1 });
  });

  it("joins a page's rejected fetch with the word of the library that kept it", () => {
    const kept = [write(1, { kind: 'failed' }), write(1, { door: 'worker', toldAt: 10_500 })];
    expect(check(kept, [], [])).toMatchObject({ ...none, accepted: 1, lost: 1 });
    const later = write(2);
    expect(check([...kept, later], effectsOf([later, kept[0]!]), [])).toMatchObject({ ...none, laneViolations: 1 });
  });
});
