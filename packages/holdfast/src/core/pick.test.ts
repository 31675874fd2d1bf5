import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleEntry } from '../testing/sample-entry';
import type { Entry } from './entry';
import { originOf } from './index-keys';
import { defaultPick, pick, urgency } from './pick';

const now = 1_000_000;
const api = 'https://api.example';
const at = (origin: string): Entry['request'] => ({ ...sampleEntry(1).request, url: `${origin}/x` });
const due = (seq: number, priority = 3, origin = api, dueAt = now): Entry =>
  sampleEntry(seq, { priority, dueAt, request: at(origin) });
const seqs = (entries: readonly Entry[]): number[] => entries.map(({ seq }) => seq);
const none = new Map<string, number>();

describe('pick', () => {
  it('takes the most urgent first, then in the order they were made', () => {
    const candidates = [due(5, 3), due(2, 7), due(9, 0), due(4, 3), due(8, 0)];
    expect(seqs(pick(candidates, none, none, now, { cap: 10 }))).toEqual([8, 9, 4, 5, 2]);
  });

  it('does not disturb what it was given', () => {
    const candidates = [due(2), due(1)];
    pick(candidates, none, none, now);
    expect(seqs(candidates)).toEqual([2, 1]);
  });

  it('keeps an origin’s last slot for what is urgent', () => {
    const bulk = [due(1), due(2), due(3), due(4)];
    expect(seqs(pick(bulk, none, none, now))).toEqual([1, 2]);
    expect(seqs(pick([...bulk, due(5, 1)], new Map([[api, 2]]), none, now))).toEqual([5]);
    expect(seqs(pick([...bulk, due(5, 2)], new Map([[api, 2]]), none, now))).toEqual([]);
    expect(seqs(pick([due(1, 0), due(2, 0), due(3, 0), due(4, 0)], none, none, now))).toEqual([1, 2, 3]);
  });

  it('keeps one of two, as while an origin recovers', () => {
    expect(seqs(pick([due(1), due(2)], none, new Map([[api, 2]]), now))).toEqual([1]);
  });

  it('keeps none where there is only one: a probe may be anything', () => {
    expect(seqs(pick([due(1), due(2)], none, new Map([[api, 1]]), now))).toEqual([1]);
    expect(seqs(pick([due(1), due(2)], none, none, now, { cap: 1 }))).toEqual([1]);
  });

  it('sends nothing where nothing may go, or where all slots are taken', () => {
    expect(pick([due(1, 0)], none, new Map([[api, 0]]), now)).toEqual([]);
    expect(pick([due(1, 0)], new Map([[api, 3]]), none, now)).toEqual([]);
    expect(pick([due(1, 0)], new Map([[api, 3]]), new Map([[api, 99]]), now)).toEqual([]);
  });

  it('counts each origin for itself', () => {
    const other = 'https://other.example';
    const candidates = [due(1), due(2), due(3), due(4, 3, other)];
    expect(seqs(pick(candidates, new Map([[api, 1]]), none, now))).toEqual([1, 4]);
  });

  it('has waiting make more urgent, so that nothing starves, but never urgent enough for the kept slot', () => {
    const old = due(9, 7, api, now - 5 * 60_000);
    expect(seqs(pick([due(1, 3), old], none, none, now))).toEqual([9, 1]);
    expect(pick([old], new Map([[api, 2]]), none, now)).toEqual([]);
  });

  it('has its defaults documented', () => {
    expect(defaultPick).toEqual({ cap: 3, urgent: 1, agePerLevelMs: 60_000 });
  });

  it('never goes over a limit, and leaves nobody behind who could go', () => {
    const origins = [api, 'https://b.example', 'https://c.example'];
    const entries = fc.uniqueArray(
      fc.record({
        seq: fc.integer({ min: 1, max: 1_000 }),
        priority: fc.integer({ min: 0, max: 7 }),
        origin: fc.constantFrom(...origins),
        waitedMs: fc.integer({ min: 0, max: 600_000 }),
      }),
      { selector: ({ seq }) => seq },
    );
    const counts = fc
      .array(fc.tuple(fc.constantFrom(...origins), fc.integer({ min: 0, max: 6 })))
      .map((all) => new Map(all));
    fc.assert(
      fc.property(entries, counts, counts, fc.integer({ min: 1, max: 8 }), (drawn, inFlight, allowed, cap) => {
        const candidates = drawn.map(({ seq, priority, origin, waitedMs }) =>
          due(seq, priority, origin, now - waitedMs),
        );
        const picked = pick(candidates, inFlight, allowed, now, { cap });
        expect(new Set(picked).size).toBe(picked.length);
        for (const origin of origins) {
          const slots = Math.min(cap, allowed.get(origin) ?? cap);
          const before = inFlight.get(origin) ?? 0;
          const mine = picked.filter(({ request }) => originOf(request.url) === origin);
          if (mine.length > 0) expect(before + mine.length).toBeLessThanOrEqual(slots);
          const left = candidates.filter((entry) => originOf(entry.request.url) === origin && !picked.includes(entry));
          const free = slots - before - mine.length;
          // What stayed behind had no slot it may use.
          if (left.some(({ priority }) => priority <= 1)) expect(free).toBeLessThanOrEqual(0);
          if (left.length > 0) expect(free).toBeLessThanOrEqual(1);
        }
        // The order is by what they have earned.
        const earned = picked.map((entry) => urgency(entry, now));
        expect(earned).toEqual([...earned].sort((one, other) => one - other));
      }),
    );
  });
});

describe('urgency', () => {
  it('is the priority, one better for each minute beyond the due time, 0 at best', () => {
    expect(urgency({ priority: 7, dueAt: now }, now)).toBe(7);
    expect(urgency({ priority: 7, dueAt: now + 600_000 }, now)).toBe(7);
    expect(urgency({ priority: 7, dueAt: now - 59_999 }, now)).toBe(7);
    expect(urgency({ priority: 7, dueAt: now - 60_000 }, now)).toBe(6);
    expect(urgency({ priority: 7, dueAt: now - 600_000 }, now)).toBe(0);
    expect(urgency({ priority: 7, dueAt: now - 20_000 }, now, 10_000)).toBe(5);
  });
});
