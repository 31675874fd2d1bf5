import type { Scenario } from './scenario';

/** What happened in one second. */
export interface Second {
  /** Writes that apps made. */
  readonly made: number;
  /** Requests that clients sent. */
  readonly sent: number;
  /** Requests that came to the server's door, or to what stands in front of it while it is down. */
  readonly arrived: number;
  /** Of these, the ones turned away with 503 although the server was up. */
  readonly turnedAway: number;
  /** Requests of which the client learned that they are done. */
  readonly delivered: number;
  /** Requests given up. */
  readonly died: number;
}

/** The course of a simulation: made = delivered + dead + waiting. */
export interface Course {
  /** Writes that apps made. */
  readonly made: number;
  readonly delivered: number;
  /** Given up: out of budget. */
  readonly dead: number;
  /** Neither when the simulation ended. */
  readonly waiting: number;
  readonly attempts: number;
  /** Attempts that delivered nothing. */
  readonly wasted: number;
  /** Milliseconds from the end of the outage to each delivery, in order; below 0 before it. */
  readonly deliveredAfterMs: readonly number[];
  /** Second by second, from the start to the last thing that happened. The server is back with the one at `backAt`. */
  readonly seconds: readonly Second[];
  /** Whole seconds from the start to the end of the outage. */
  readonly backAt: number;
}

export interface CourseRecorder {
  made(now: number): void;
  sent(now: number): void;
  arrived(status: number, now: number): void;
  ended(delivered: boolean, now: number): void;
  told(): Course;
}

type Tally = { -readonly [name in keyof Second]: Second[name] };

export function createCourse({ outageMs }: Pick<Scenario, 'outageMs'>): CourseRecorder {
  const backAt = Math.ceil(outageMs / 1_000);
  const seconds: Tally[] = [];
  const deliveredAfterMs: number[] = [];

  /** Seconds are counted from the end of the outage in both directions, so that none is half down and half up. */
  function at(now: number): Tally {
    const index = backAt + Math.floor((now - outageMs) / 1_000);
    while (seconds.length <= index) {
      seconds.push({ made: 0, sent: 0, arrived: 0, turnedAway: 0, delivered: 0, died: 0 });
    }
    return seconds[index] as Tally;
  }
  const sum = (name: keyof Second): number => seconds.reduce((total, second) => total + second[name], 0);

  return {
    made: (now) => void (at(now).made += 1),
    sent: (now) => void (at(now).sent += 1),
    arrived(status, now) {
      const second = at(now);
      second.arrived += 1;
      if (status === 503 && now >= outageMs) second.turnedAway += 1;
    },
    ended(delivered, now) {
      at(now)[delivered ? 'delivered' : 'died'] += 1;
      if (delivered) deliveredAfterMs.push(now - outageMs);
    },
    told() {
      const [made, attempts, delivered, dead] = [sum('made'), sum('sent'), sum('delivered'), sum('died')];
      return {
        made,
        delivered,
        dead,
        waiting: made - delivered - dead,
        attempts,
        wasted: attempts - delivered,
        deliveredAfterMs,
        seconds,
        backAt,
      };
    },
  };
}
