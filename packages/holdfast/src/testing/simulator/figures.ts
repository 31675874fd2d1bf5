import type { Course, Second } from './course';

/**
 * What a simulation comes to. Rates are arrivals a second. The recovery lasts from the end of the outage until 19 of 20 of
 * what is delivered are: the very last delivery is one unlucky client's, and differs from seed to seed.
 */
export interface Figures {
  /** Arrivals in the busiest second of the outage. */
  readonly peakWhileDown: number;
  /** Arrivals in the busiest second of the recovery. */
  readonly peak: number;
  /** Mean of the recovery. */
  readonly mean: number;
  /** `peak / mean`; 1 is perfectly even. */
  readonly peakToMean: number;
  /** From the end of the outage until half of what is delivered is, in milliseconds; null when something waits to the end. */
  readonly halfMs: number | null;
  /** The same for 19 of 20: how long the recovery took. */
  readonly drainMs: number | null;
  /** The same for all. */
  readonly lastMs: number | null;
  /** Attempts that delivered nothing. */
  readonly wasted: number;
  /** Of these, the ones after the server was back. */
  readonly wastedAfter: number;
  /** What was given up, as a share of what was made. */
  readonly deadShare: number;
}

export function figuresOf(course: Course): Figures {
  const { seconds, backAt, deliveredAfterMs, delivered, waiting } = course;
  const after = (share: number): number | null =>
    waiting > 0 ? null : Math.max(0, deliveredAfterMs[Math.ceil(delivered * share) - 1] ?? 0);
  const drainMs = after(0.95);
  const recovery = seconds.slice(backAt, drainMs === null ? undefined : backAt + Math.floor(drainMs / 1_000) + 1);
  const peak = highest(recovery);
  const mean = total(recovery, 'arrived') / Math.max(1, recovery.length);
  return {
    peakWhileDown: highest(seconds.slice(0, backAt)),
    peak,
    mean,
    peakToMean: mean === 0 ? 1 : peak / mean,
    halfMs: after(0.5),
    drainMs,
    lastMs: after(1),
    wasted: course.wasted,
    // What was under way when the server came back is delivered after it without having been sent after it.
    wastedAfter: Math.max(0, total(seconds.slice(backAt), 'sent') - total(seconds.slice(backAt), 'delivered')),
    deadShare: course.dead / course.made,
  };
}

/** One point of a chart. */
export interface SeriesPoint {
  /** Start of the step, in milliseconds since the outage began. */
  readonly atMs: number;
  /** Arrivals at the server, a second. */
  readonly arrivals: number;
  /** Deliveries, a second. */
  readonly deliveries: number;
  /** Requests not delivered and not given up at the end of the step. */
  readonly waiting: number;
}

/**
 * The course of a simulation as points for a chart.
 * @param stepSeconds how many seconds make one point: a whole number from 1. @default 1
 */
export function seriesOf({ seconds }: Pick<Course, 'seconds'>, stepSeconds = 1): SeriesPoint[] {
  const points: SeriesPoint[] = [];
  let waiting = 0;
  for (let from = 0; from < seconds.length; from += stepSeconds) {
    const step = seconds.slice(from, from + stepSeconds);
    waiting += total(step, 'made') - total(step, 'delivered') - total(step, 'died');
    const arrivals = total(step, 'arrived') / step.length;
    points.push({ atMs: from * 1_000, arrivals, deliveries: total(step, 'delivered') / step.length, waiting });
  }
  return points;
}

function total(seconds: readonly Second[], name: keyof Second): number {
  return seconds.reduce((sum, second) => sum + second[name], 0);
}

function highest(seconds: readonly Second[]): number {
  return seconds.reduce((most, { arrived }) => Math.max(most, arrived), 0);
}
