/**
 * A JSON value without some of its members, and otherwise in the same order.
 *
 * @param ignore top-level names, or JSON pointers (RFC 6901), left out wherever they are present
 */
export function withoutMembers(value: unknown, ignore: readonly string[]): unknown {
  return without(value, '', new Set(ignore.map((name) => (name.startsWith('/') ? name : `/${escapePointer(name)}`))));
}

function without(value: unknown, path: string, ignore: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => without(item, `${path}/${index}`, ignore));
  const members = Object.entries(value)
    .map(([name, item]) => [name, item, `${path}/${escapePointer(name)}`] as const)
    .filter(([, , here]) => !ignore.has(here))
    .map(([name, item, here]) => [name, without(item, here, ignore)] as const);
  return Object.fromEntries(members);
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
