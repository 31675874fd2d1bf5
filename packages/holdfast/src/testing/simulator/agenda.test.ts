import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAgenda } from './agenda';

describe('the agenda', () => {
  it('lets things happen in the order of their moments, and of their noting where these are equal', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 }), (moments) => {
        const agenda = createAgenda();
        const happened: { at: number; nth: number }[] = [];
        moments.forEach((at, nth) => agenda.note(at, (now) => void happened.push({ at: now, nth })));
        agenda.runUntil(20);
        const expected = moments.map((at, nth) => ({ at, nth })).sort((a, b) => a.at - b.at || a.nth - b.nth);
        expect(happened).toEqual(expected);
      }),
    );
  });

  it('lets what follows from something happen too, and nothing after the end', () => {
    const agenda = createAgenda();
    const happened: number[] = [];
    const again = (now: number): void => {
      happened.push(now);
      agenda.note(now + 10, again);
    };
    agenda.note(5, again);
    agenda.runUntil(30);
    expect(happened).toEqual([5, 15, 25]);
    agenda.runUntil(35);
    expect(happened).toEqual([5, 15, 25, 35]);
  });

  it('takes a moment that is past for the present', () => {
    const agenda = createAgenda();
    const happened: number[] = [];
    agenda.note(10, (now) => agenda.note(now - 5, (then) => void happened.push(then)));
    agenda.runUntil(10);
    expect(happened).toEqual([10]);
  });
});
