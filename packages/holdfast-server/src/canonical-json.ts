/** Digits a double may not hold: sixteen or more in a row of digits and points, or an exponent of three digits. */
const unsafeNumber = /\d[\d.]{15}|[eE][+-]?\d{3}/;

/**
 * One text for all spellings of a JSON value: keys sorted, white space gone, `1.0` and `1` the same.
 *
 * @param text   what was sent
 * @param ignore top-level names, or JSON pointers (RFC 6901), left out wherever they are present
 * @returns      `undefined` where the bytes must speak for themselves: not JSON, nested too deeply, or with numbers
 *               whose difference JavaScript cannot see (`9007199254740993` reads as `…992`)
 */
export function canonicalJson(text: string, ignore: readonly string[] = []): string | undefined {
  if (unsafeNumber.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const pointers = new Set(ignore.map((name) => (name.startsWith('/') ? name : `/${escapePointer(name)}`)));
    return write(value, '', pointers);
  } catch {
    return undefined;
  }
}

function write(value: unknown, path: string, ignore: ReadonlySet<string>): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    return `[${value.map((item, index) => write(item, ignore.size ? `${path}/${index}` : '', ignore)).join(',')}]`;
  }
  const fields: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const here = ignore.size ? `${path}/${escapePointer(name)}` : '';
    if (ignore.size && ignore.has(here)) continue;
    fields.push(`${JSON.stringify(name)}:${write((value as Record<string, unknown>)[name], here, ignore)}`);
  }
  return `{${fields.join(',')}}`;
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
