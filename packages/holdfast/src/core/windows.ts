import { OutboxError } from './errors';

export type Weekday = 'sun' | 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat';

/** A time in which a target must not be called. */
export type Window =
  /** Once: from and to are epoch ms, `to` no longer part of it. */
  | { readonly from: number; readonly to: number }
  /** Again and again, by the clock on the target's wall. */
  | {
      /** `HH:MM`. */
      readonly start: string;
      /** `HH:MM`, no longer part of it. Not later than `start` means the next day; the same is a whole day. */
      readonly end: string;
      /** The days on which it starts. @default every day */
      readonly days?: readonly Weekday[];
      /** IANA name, for example `Europe/Berlin`; daylight saving is kept. @default 'UTC' */
      readonly timeZone?: string;
    };

const WEEKDAYS: readonly Weekday[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MINUTE = 60_000;
const DAY = 86_400_000;

/** How many windows may follow on each other before they count as one without an end. */
const LONGEST_CHAIN = 100;

/**
 * When calls are allowed again.
 *
 * An end that daylight saving skips is the moment after the gap; one that comes twice is the first.
 *
 * @returns epoch ms, or null when no window is open now. Windows that leave no gap give the end of the hundredth.
 */
export function openAgainAt(windows: readonly Window[], now: number): number | null {
  let at = now;
  for (let link = 0; link < LONGEST_CHAIN; link += 1) {
    const ends = windows.map((window) => endOf(window, at)).filter((end) => end !== null);
    if (ends.length === 0) break;
    at = Math.max(...ends);
  }
  return at === now ? null : at;
}

/** @throws OutboxError `bad-option` when a window has no length, no time, no day or an unknown time zone */
export function checkWindows(windows: readonly Window[]): void {
  for (const window of windows) {
    if ('from' in window) {
      const { from, to } = window;
      if (!(Number.isFinite(from) && Number.isFinite(to) && from < to)) {
        throw new OutboxError('bad-option', `maintenance needs from before to in epoch ms, got ${from} and ${to}`);
      }
      continue;
    }
    for (const time of [window.start, window.end]) {
      if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) {
        throw new OutboxError('bad-option', `maintenance times are HH:MM from 00:00 to 23:59, got ${time}`);
      }
    }
    const { days = WEEKDAYS, timeZone = 'UTC' } = window;
    if (days.length === 0 || !days.every((day) => WEEKDAYS.includes(day))) {
      throw new OutboxError(
        'bad-option',
        `maintenance days are some of ${WEEKDAYS.join(', ')}, got [${days.join(', ')}]`,
      );
    }
    try {
      wallClock(0, timeZone);
    } catch (cause) {
      throw new OutboxError('bad-option', `maintenance needs a known time zone, got ${timeZone}`, { cause });
    }
  }
}

/** When the window that is open at this moment ends, or null when it is not open. */
function endOf(window: Window, at: number): number | null {
  if ('from' in window) return at >= window.from && at < window.to ? window.to : null;
  const { days = WEEKDAYS, timeZone = 'UTC' } = window;
  const wall = wallClock(at, timeZone);
  const midnight = wall - (((wall % DAY) + DAY) % DAY);
  const [start, end] = [minutesOf(window.start), minutesOf(window.end)];
  const length = (end > start ? end - start : end - start + 24 * 60) * MINUTE;
  // It may have started today or, when it runs over midnight, yesterday.
  for (const startDay of [midnight, midnight - DAY]) {
    const from = startDay + start * MINUTE;
    const weekday = WEEKDAYS[new Date(startDay).getUTCDay()];
    if (weekday && days.includes(weekday) && wall >= from && wall < from + length) {
      return instantOf(from + length, timeZone, at);
    }
  }
  return null;
}

/** What clocks on the wall show, written as if it were UTC. */
function wallClock(at: number, timeZone: string): number {
  if (timeZone === 'UTC') return at;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return (
    Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) + (at % 1000)
  );
}

/**
 * The moment after `after` at which the wall shows this time, by the offset that holds there or a day later, whichever is
 * sooner. If the change of the clock makes that an hour too soon, the window is still open then and is asked again.
 */
function instantOf(wall: number, timeZone: string, after: number): number {
  const guesses = [after, after + DAY].map((at) => wall - (wallClock(at, timeZone) - at));
  return Math.min(...guesses.filter((guess) => guess > after), after + DAY);
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
