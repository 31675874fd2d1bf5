import { expect, it } from 'vitest';

it('touches no global when a server imports the door', async () => {
  const before = new Set(Object.getOwnPropertyNames(globalThis));
  const door = await import('./index');
  expect(door).toHaveProperty('defineOutboxElements');
  expect(Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name))).toEqual([]);
});
