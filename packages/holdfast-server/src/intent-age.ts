/** A year: no outbox keeps a request longer, so a greater age is nonsense. */
const maxAgeMs = 31_622_400_000;

/**
 * How long ago the caller made up its mind, by its `Holdfast-Age` field: `new Date(Date.now() - (intentAgeMs(headers) ?? 0))`
 * dates the event itself and not its delivery. A hint of the caller's own making: fit for a time stamp, never for a check.
 *
 * @returns whole milliseconds from 0 to a year, or `undefined` if the field is absent or no whole number
 */
export function intentAgeMs(headers: Headers): number | undefined {
  const field = headers.get('holdfast-age');
  if (field === null || !/^\d{1,15}$/.test(field)) return undefined;
  return Math.min(Number(field), maxAgeMs);
}
