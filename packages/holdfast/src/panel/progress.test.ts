import { describe, expect, it } from 'vitest';
import type { Counts } from '../core/control';
import { follow, type Progress } from './progress';

const look = (at: number, pending: number, sending: number, bytes: number): { at: number; counts: Counts } => ({
  at,
  counts: { pending, sending, bytes, delivered: 0, dead: 0, open: 0 },
});
const after = (...looks: readonly { at: number; counts: Counts }[]): Progress | null =>
  looks.reduce<Progress | null>(follow, null);

describe('progress of a drain', () => {
  it('is nothing while nothing is being sent', () => {
    expect(after(look(0, 5, 0, 500))).toBeNull();
  });

  it('counts what was done since it began, in requests and bytes', () => {
    expect(after(look(0, 4, 1, 5000), look(1000, 2, 1, 3000))).toMatchObject({
      done: 2,
      total: 5,
      doneBytes: 2000,
      totalBytes: 5000,
      bytesPerSecond: 2000,
    });
  });

  it('grows by what is added meanwhile instead of going backwards', () => {
    expect(after(look(0, 1, 1, 200), look(100, 4, 1, 500), look(200, 3, 1, 400))).toMatchObject({
      done: 1,
      total: 5,
      doneBytes: 100,
      totalBytes: 500,
    });
  });

  it('lasts through the moment between two requests, and ends when all are done', () => {
    const between = after(look(0, 2, 1, 300), look(500, 2, 0, 200));
    expect(between).toMatchObject({ done: 1 });
    expect(follow(between, look(600, 0, 0, 0))).toBeNull();
  });

  it('ends when what is left waits for later', () => {
    const between = after(look(0, 2, 1, 300), look(500, 2, 0, 200));
    expect(follow(between, look(6_000, 2, 0, 200))).toBeNull();
  });

  it('tells the speed of the last seconds, not of the whole drain', () => {
    const start = after(look(0, 9, 1, 10_000), look(1000, 8, 1, 9_000));
    const later = [7000, 8000, 9000].reduce<Progress | null>(
      (p, at, n) => follow(p, look(at, 7 - n, 1, 9_000 - n)),
      start,
    );
    expect(later?.bytesPerSecond).toBe(1);
  });
});
