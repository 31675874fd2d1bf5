/** Digits a double may not hold: sixteen or more in a row of digits and points, or an exponent of three digits. */
const unsafeNumber = /\d[\d.]{15}|[eE][+-]?\d{3}/;

/**
 * One text for all spellings of a JSON value: keys sorted, white space gone, `1.0` and `1` the same.
 *
 * @param text    what was sent
 * @param prepare changes the value before it is written, such as `withoutMembers`
 * @returns       `undefined` where the bytes must speak for themselves: not JSON, nested too deeply, or with numbers
 *               whose difference JavaScript cannot see (`9007199254740993` reads as `…992`)
 */
export function canonicalJson(text: string, prepare = (value: unknown): unknown => value): string | undefined {
  if (unsafeNumber.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(prepare(inOrder(value)));
  } catch {
    return undefined;
  }
}

/**
 * The same value with every object's members in one order. Most clients always write theirs in the same, so what is in
 * order already is not built anew.
 */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) value[at] = inOrder(value[at]);
    return value;
  }
  const object = value as Record<string, unknown>;
  let last = '';
  let sorted = true;
  for (const name of Object.keys(object)) {
    sorted &&= last <= name;
    last = name;
    const item = object[name];
    if (typeof item === 'object' && item !== null) replace(object, name, inOrder(item));
  }
  return sorted ? object : withSortedMembers(object);
}

function withSortedMembers(object: Record<string, unknown>): Record<string, unknown> {
  const ordered: Record<string, unknown> = {};
  for (const name of Object.keys(object).sort()) {
    if (name === '__proto__') replace(ordered, name, object[name]);
    else ordered[name] = object[name];
  }
  return ordered;
}

/** A member named `__proto__` is a member like any other, and assigning to it would not be. */
function replace(object: Record<string, unknown>, name: string, value: unknown): void {
  if (object[name] !== value)
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
