import type { EntryView } from 'holdfast';
import { describe, expect, it } from 'vitest';
import { trainsOf } from './attempts';

const entry: EntryView = {
  ...{ id: 'e1', revision: 1, seq: 1, route: 'records', lane: null, method: 'PUT', url: '/', title: 'Record' },
  ...{ state: 'pending', priority: 3, createdAt: 1_000, dueAt: 1, size: 0, type: '', attempts: 0, tries: 0 },
  ...{ outcome: 'unknown', verified: true, status: 0, replayed: false, replays: 0, waitsFor: [], why: null },
  history: [
    { class: 'network', status: 0, message: 'cut', at: 1_500, tookMs: 500, counted: true },
    { class: 'server', status: 500, message: 'oops', at: 4_600, tookMs: 100, counted: true },
  ],
};

describe('the life of a request in beats', () => {
  it('tells what came back, how long it took, and how long was waited in between', () => {
    const [train] = trainsOf([{ ...entry, why: { kind: 'due-later', until: 9_000 } }]);
    expect(train?.beats).toMatchObject([
      { kind: 'failed', label: 'no answer', tookMs: 500, gapMs: null },
      { kind: 'failed', label: '500', tookMs: 100, gapMs: 3_000 },
      { kind: 'next', label: 'due-later', at: 9_000 },
    ]);
  });

  it('ends with the confirmation, once, and says when the server had done it before', () => {
    const delivery = { class: 'delivered', status: 201, message: '', at: 5_000, tookMs: 40, counted: false } as const;
    const done = { state: 'delivered', status: 201, replayed: true, finishedAt: 5_000 } as const;
    const [train] = trainsOf([{ ...entry, ...done, history: [...entry.history, delivery] }]);
    expect(train?.beats).toHaveLength(3);
    expect(train?.beats.at(-1)).toMatchObject({ kind: 'confirmed', label: '201 again', tookMs: 40 });
  });

  it('ends with the reason where it was given up on', () => {
    const dead = { reason: 'conflict', message: 'changed meanwhile', at: 5_000, triage: 'open' } as const;
    const [train] = trainsOf([{ ...entry, state: 'dead', dead, finishedAt: 5_000 }]);
    expect(train?.beats.at(-1)).toMatchObject({ kind: 'dead', label: 'conflict', detail: 'changed meanwhile' });
  });

  it('puts the latest news first', () => {
    const fresh = { ...entry, id: 'e2', seq: 2, history: [], createdAt: 9_999 };
    expect(trainsOf([entry, fresh]).map((train) => train.entry.id)).toEqual(['e2', 'e1']);
  });
});
