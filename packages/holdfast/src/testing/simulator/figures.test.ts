import { describe, expect, it } from 'vitest';
import { createCourse } from './course';
import { figuresOf, seriesOf } from './figures';

/** Two writes in an outage of two seconds: one attempt fails, both are delivered later; a third is given up. */
function story() {
  const course = createCourse({ outageMs: 2_000 });
  for (const at of [100, 200, 300]) course.made(at);
  for (const at of [100, 200, 300]) {
    course.sent(at);
    course.arrived(502, at);
  }
  course.ended(false, 1_000);
  for (const at of [2_100, 2_200]) course.sent(at);
  course.arrived(503, 2_150);
  course.arrived(201, 2_250);
  course.ended(true, 2_300);
  course.sent(5_000);
  course.arrived(201, 5_100);
  course.ended(true, 5_200);
  return course.told();
}

describe('the figures of a simulation', () => {
  it('tell the recovery from the outage', () => {
    expect(figuresOf(story())).toEqual({
      peakWhileDown: 3,
      peak: 2,
      mean: 0.75,
      peakToMean: 2 / 0.75,
      halfMs: 300,
      drainMs: 3_200,
      lastMs: 3_200,
      wasted: 4,
      wastedAfter: 1,
      deadShare: 1 / 3,
    });
  });

  it('know no time to drain while something waits', () => {
    const course = createCourse({ outageMs: 2_000 });
    course.made(0);
    course.sent(0);
    course.arrived(502, 10);
    expect(figuresOf(course.told())).toMatchObject({
      halfMs: null,
      drainMs: null,
      lastMs: null,
      wasted: 1,
      peakToMean: 1,
    });
  });

  it('count whole seconds from the end of the outage, so that none is half down and half up', () => {
    const course = createCourse({ outageMs: 2_500 });
    course.arrived(502, 2_499);
    course.arrived(201, 2_500);
    course.arrived(201, 3_499);
    const { backAt, seconds } = course.told();
    expect(seconds.slice(0, backAt).map(({ arrived }) => arrived)).toEqual([0, 0, 1]);
    expect(seconds.slice(backAt).map(({ arrived }) => arrived)).toEqual([2]);
  });
});

describe('the series of a simulation', () => {
  it('has one point for each second, and says how many wait at its end', () => {
    const points = seriesOf(story());
    expect(points.map(({ waiting }) => waiting)).toEqual([3, 2, 1, 1, 1, 0]);
    expect(points[0]).toEqual({ atMs: 0, arrivals: 3, deliveries: 0, waiting: 3 });
    expect(points[2]).toEqual({ atMs: 2_000, arrivals: 2, deliveries: 1, waiting: 1 });
  });

  it('takes the mean of several seconds for one point', () => {
    expect(seriesOf(story(), 4)).toEqual([
      { atMs: 0, arrivals: 5 / 4, deliveries: 1 / 4, waiting: 1 },
      { atMs: 4_000, arrivals: 1 / 2, deliveries: 1 / 2, waiting: 0 },
    ]);
  });
});
