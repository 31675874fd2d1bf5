/** Header fields in the order they arrived. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** A field's value; several lines of one name are one value joined by commas (RFC 9110 section 5.3). Undefined when absent. */
export function headerValue(headers: HeaderPairs, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const lines = headers.filter(([field]) => field.toLowerCase() === wanted).map(([, value]) => value);
  return lines.length === 0 ? undefined : lines.join(', ');
}
