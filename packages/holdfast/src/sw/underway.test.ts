import { describe, expect, it } from 'vitest';
import { createUnderway } from './underway';

describe('a live request of the worker', () => {
  it('is taken back by its key while it is under way, and not afterwards', () => {
    const underway = createUnderway();
    const [first, second] = [underway.begin('k-1'), underway.begin('k-2')];
    underway.abandon('k-1');
    expect([first.stop.aborted, second.stop.aborted]).toEqual([true, false]);
    second.end();
    underway.abandon('k-2');
    expect(second.stop.aborted).toBe(false);
  });

  it('leaves alone what came later under the same key, and what has none', () => {
    const underway = createUnderway();
    const [first, again, nameless] = [underway.begin('k'), underway.begin('k'), underway.begin(undefined)];
    first.end();
    underway.abandon('k');
    expect([again.stop.aborted, nameless.stop.aborted]).toEqual([true, false]);
  });
});
