import type { StoreName } from './stores.ts';

/** A way to write a server. Each is measured bare and guarded, and they are compared with nothing but each other. */
export const doors = ['node:http', 'Hono', 'Express', 'Fastify'] as const;
export type Door = (typeof doors)[number];

export type Guarding = 'bare' | 'holdfast' | 'core';

/** One server that is measured. */
export interface Contender {
  readonly door: Door;
  readonly guarding: Guarding;
  readonly store?: StoreName;
}

const ours = (door: Door, store: StoreName): Contender => ({ door, guarding: 'holdfast', store });

/** All that are measured, the bare one of each door first. */
export const contenders: readonly Contender[] = [
  { door: 'node:http', guarding: 'bare' },
  ours('node:http', 'memory'),
  ours('node:http', 'sqlite'),
  ours('node:http', 'postgres'),
  ours('node:http', 'redis'),
  { door: 'node:http', guarding: 'core', store: 'memory' },
  { door: 'node:http', guarding: 'core', store: 'redis' },
  { door: 'Hono', guarding: 'bare' },
  ours('Hono', 'memory'),
  { door: 'Express', guarding: 'bare' },
  ours('Express', 'memory'),
  { door: 'Fastify', guarding: 'bare' },
  ours('Fastify', 'memory'),
];

export function nameOf({ door, guarding, store }: Contender): string {
  return [door, guarding, store].filter((part) => part !== undefined).join(' ');
}
