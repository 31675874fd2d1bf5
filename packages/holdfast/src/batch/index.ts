import type { BatchDoor } from '../core/batch-door';
import { OutboxError } from '../core/errors';
import { through } from './together';

export type { BatchDoor } from '../core/batch-door';

export interface BatchDoorOptions {
  /** Where the server has its door (`batchDoor` of `holdfast-server/batch`). @default '/batch' */
  readonly path?: string;
  /** Most requests in one call. @default 20 */
  readonly maxRequests?: number;
  /** All bodies of one call together, bytes; a request that does not fit goes by itself. @default 262_144 (256 KiB) */
  readonly maxBytes?: number;
}

/** The defaults, in one place. */
export const defaultBatchDoor = { path: '/batch', maxRequests: 20, maxBytes: 262_144 } as const;

/**
 * Lets a route's waiting requests go many in one call, for slow links: `{ name: 'orders', match: '/orders', batch: batchDoor() }`.
 * What each means, and what becomes of it, is as if it had been sent by itself; where there is no such door, it is.
 *
 * @throws OutboxError `bad-option`
 */
export function batchDoor(options: BatchDoorOptions = {}): BatchDoor {
  const { path, maxRequests, maxBytes } = { ...defaultBatchDoor, ...options };
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(path)) bad('path', path, 'a path that begins with one "/"');
  if (!(Number.isInteger(maxRequests) && maxRequests >= 2)) bad('maxRequests', maxRequests, 'a whole number from 2');
  if (!(maxBytes >= 1)) bad('maxBytes', maxBytes, 'a number of bytes from 1');
  return { path, maxRequests, together: through(maxRequests, maxBytes) };
}

function bad(name: string, value: unknown, allowed: string): never {
  throw new OutboxError('bad-option', `batchDoor: ${name} must be ${allowed}, got ${String(value)}`);
}
