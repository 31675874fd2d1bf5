const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)';
const SHORT_DAY = '(?:mon|tue|wed|thu|fri|sat|sun)';
const LONG_DAY = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)';

/** The three forms, in the order of their frequency. Letters may be of either case, which the grammar forbids and senders do. */
const FORMS = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  new RegExp(`^${SHORT_DAY}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`, 'i'),
  // Sunday, 06-Nov-94 08:49:37 GMT
  new RegExp(`^${LONG_DAY}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT$`, 'i'),
  // Sun Nov  6 08:49:37 1994
  new RegExp(`^${SHORT_DAY} ${MONTH} (?<day>\\d\\d| \\d) ${TIME} (?<year>\\d{4})$`, 'i'),
];

/**
 * Reads an HTTP-date: IMF-fixdate, the obsolete RFC 850 form or asctime, always UTC. `Date.parse` is no substitute: it
 * takes "-5", "1.5" and "120junk" for years.
 *
 * A year of two digits that would lie more than 50 years ahead is the latest past year with these digits. The weekday is
 * read over. Second 60 is the second after 59.
 *
 * @param text  the field value, without white space around it
 * @param nowMs epoch ms, needed only for years of two digits
 * @returns     epoch ms, or null when it is no HTTP-date
 * @see RFC 9110 section 5.6.7
 */
export function parseHttpDate(text: string, nowMs: number): number | null {
  const parts = FORMS.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (!parts) return null;
  const number = (name: string): number => Number(parts[name]);
  const month = MONTHS.indexOf((parts['month'] ?? '').toLowerCase());
  const [day, hour, minute, second] = [number('day'), number('hour'), number('minute'), number('second')];
  if (hour > 23 || minute > 59 || second > 60) return null;

  const inYear = (year: number): number => utc(year, month, day) + ((hour * 60 + minute) * 60 + second) * 1000;
  const year = parts['year']?.length === 2 ? fullYear(number('year'), inYear, nowMs) : number('year');
  // The 30th of February must not become the 1st of March, nor the 0th the last of the month before.
  return new Date(utc(year, month, day)).getUTCDate() === day ? inYear(year) : null;
}

/** Midnight; `Date.UTC` would take the years 0 to 99 for 1900 to 1999. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

function fullYear(twoDigits: number, inYear: (year: number) => number, nowMs: number): number {
  const now = new Date(nowMs);
  const horizon = new Date(nowMs).setUTCFullYear(now.getUTCFullYear() + 50);
  const century = now.getUTCFullYear() - (now.getUTCFullYear() % 100);
  const ahead = century + 100 + twoDigits;
  return [ahead, ahead - 100].find((year) => inYear(year) <= horizon) ?? ahead - 200;
}
