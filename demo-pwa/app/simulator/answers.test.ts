import { expect, it } from 'vitest';
import { answersTo, shownSeconds } from './answers';

it('shows how much gentler the outbox is than loops written by hand, to a server that comes back', () => {
  const [own, doubling, every] = [...answersTo({ id: 7, outage: 'restart', clients: 100, jitter: 'equal' })];
  expect([own, doubling, every].map((answer) => answer?.policy)).toEqual([
    'Outbox',
    'Doubling, no jitter',
    'Every 5 seconds',
  ]);
  expect(own).toMatchObject({ id: 7, own: true, backAt: 60, capacity: 5 });
  expect(own?.series.length).toBeLessThanOrEqual(60 + shownSeconds);
  expect(own?.figures.peak).toBeLessThan((doubling?.figures.peak ?? 0) / 4);
  expect(own?.figures.wasted).toBeLessThan(every?.figures.wasted ?? 0);
});
