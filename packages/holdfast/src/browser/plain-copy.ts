import { OutboxError } from '../core/errors';

/**
 * A deep copy of plain data, so that what is stored shares nothing with what the caller holds.
 *
 * It refuses what a browser cannot store. `structuredClone` would not do: under Node it turns a `Headers` or a `Request`
 * into an empty object without a word, so a mistake would only show in browsers.
 *
 * @throws OutboxError `not-storable` for functions, symbols and instances of classes; the message has the path
 */
export function copyPlain<T>(value: T, path = 'value'): T {
  return copy(value, path) as T;
}

function copy(value: unknown, path: string): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw notPlain(path, typeof value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, at) => copy(item, `${path}[${at}]`));
  if (value instanceof Uint8Array) return value.slice();
  // Browsers store keys too; nobody can change one, so it may be shared.
  if (typeof CryptoKey === 'function' && value instanceof CryptoKey) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw notPlain(path, nameOf(value));
  const copied: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) copied[name] = copy(item, `${path}.${name}`);
  return copied;
}

function nameOf(value: object): string {
  return value.constructor.name || 'an instance of a class';
}

function notPlain(path: string, what: string): OutboxError {
  return new OutboxError('not-storable', `${path} is ${what}; only plain data can be stored`);
}
