import type { Plural } from './words/words';

/** Numbers, sizes and times as the language writes them. */
export interface Format {
  number(value: number): string;
  /** `1.2 kB`. */
  bytes(value: number): string;
  /** `120 kB/s`. */
  speed(bytesPerSecond: number): string;
  /** A length of time in its largest unit: `3 min`. */
  span(ms: number): string;
  /** How far a moment is away: `in 12 seconds`, `now`, `3 minutes ago`. */
  relative(at: number, now: number): string;
  /** A moment by the clock; with its date unless it is today. */
  clock(at: number, now: number): string;
  /** The text of the right plural form, with `{n}` filled in. */
  plural(text: Plural, n: number, values?: Values): string;
}

export type Values = Readonly<Record<string, string>>;

/** Puts values in a text's `{places}`. A place without a value stays as it is, so that a wrong replacement text is seen. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? place) : place,
  );
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const;
const sizes = ['kilobyte', 'megabyte', 'gigabyte'] as const;

const made = new Map<string, Format>();

/** Making an `Intl` object costs about 50 µs, and a list of rows asks hundreds of times: one set per language is kept. */
export function formatFor(language: string): Format {
  const known = made.get(language);
  if (known) return known;
  const format = makeFormat(knownTag(language));
  made.set(language, format);
  return format;
}

function makeFormat(language: string): Format {
  const number = new Intl.NumberFormat(language);
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const rules = new Intl.PluralRules(language);
  const measures = new Map<string, Intl.NumberFormat>();
  const measure = (unit: string, value: number): string => {
    let format = measures.get(unit);
    if (!format) {
      format = new Intl.NumberFormat(language, {
        style: 'unit',
        unit,
        unitDisplay: 'short',
        maximumFractionDigits: 1,
      });
      measures.set(unit, format);
    }
    return format.format(value);
  };
  // The short word for a single byte is a long one in most languages: the smallest unit is the kilobyte.
  const scaled = (bytes: number): readonly [number, string] => {
    const step = Math.max(1, Math.min(sizes.length, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
    const amount = bytes / 1000 ** step;
    // Little is not nothing.
    return [bytes > 0 ? Math.max(0.1, amount) : 0, sizes[step - 1] ?? 'kilobyte'];
  };
  return {
    number: (value) => number.format(value),
    bytes(value) {
      const [amount, unit] = scaled(value);
      return measure(unit, amount);
    },
    speed(value) {
      const [amount, unit] = scaled(value);
      return measure(`${unit}-per-second`, amount);
    },
    span(ms) {
      const [unit, lengthMs] = units.find(([, length]) => ms >= length) ?? units[3];
      return measure(unit, Math.floor(Math.max(0, ms) / lengthMs));
    },
    relative(at, now) {
      const [unit, lengthMs] = units.slice(0, 3).find(([, length]) => Math.abs(at - now) >= length) ?? units[3];
      // A countdown rounds up, so that "in 0 seconds" is not shown for a whole second; an age rounds down.
      return relative.format(Math.ceil((at - now) / lengthMs) || 0, unit as Intl.RelativeTimeFormatUnit);
    },
    clock(at, now) {
      const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
      return (sameDay ? time : dateTime).format(at);
    },
    plural: (text, n, values = {}) => fill(text[rules.select(n)] ?? text.other, { n: number.format(n), ...values }),
  };
}

/** A page's `lang` may be anything; `Intl` throws on what is not a language tag. */
function knownTag(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
