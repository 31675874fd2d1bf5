/** Header fields in the order they arrived. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** A field's value; several lines of one name are one value joined by commas (RFC 9110 section 5.3). Null when absent. */
export function headerOf(headers: HeaderPairs, name: string): string | null {
  const wanted = name.toLowerCase();
  const values = headers.filter(([field]) => field.toLowerCase() === wanted).map(([, value]) => value);
  return values.length > 0 ? values.join(', ') : null;
}

/** Sets (or with null removes) headers, keeping the order of the others. */
export function withHeaders(headers: HeaderPairs, changes: Readonly<Record<string, string | null>>): HeaderPairs {
  const names = Object.keys(changes).map((name) => name.toLowerCase());
  const set = Object.entries(changes).filter((pair): pair is [string, string] => pair[1] !== null);
  return [...headers.filter(([name]) => !names.includes(name.toLowerCase())), ...set];
}

/** Whether a field carries a credential or a token against forgery, as its name says. */
export function isCredential(name: string): boolean {
  return /^(?:(?:proxy-)?authorization|cookie)$|(?:^|-)(?:token|csrftoken|api-?key|secret|password)$/i.test(name);
}
