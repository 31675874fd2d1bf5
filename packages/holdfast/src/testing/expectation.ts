/** Fails with both sides written out. Compares plain data by content: order of members does not matter, absent is not null. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [written(actual), written(expected)];
  if (got !== wanted) throw new Error(`${what}: expected ${wanted}, got ${got}`);
}

/** Fails unless the promise rejects with an error of this code. */
export async function rejectsWith(code: string, promise: Promise<unknown>, what: string): Promise<void> {
  same(await codeOf(promise), code, what);
}

/** Fails unless the promise rejects, with whatever. */
export async function rejects(promise: Promise<unknown>, what: string): Promise<void> {
  if ((await codeOf(promise)) === 'fulfilled') throw new Error(`${what}: expected a rejection`);
}

function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'fulfilled',
    (error: { code?: string | number; name?: string }) => String(error.code ?? error.name),
  );
}

function written(value: unknown): string {
  return JSON.stringify(value, sorted) ?? 'undefined';
}

function sorted(_name: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Array.from(value) };
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
