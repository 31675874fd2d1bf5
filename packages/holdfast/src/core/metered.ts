import { OutboxError } from './errors';

/** What waits while the connection costs money or the person asked to save data. */
export interface Metered {
  /** Bodies from this size on are large, bytes. @default 1_048_576 (1 MiB) */
  readonly fromBytes: number;
  /** Large ones with this priority or a higher number (less urgent) wait. @default 4 */
  readonly fromPriority: number;
}

export const defaultMetered: Metered = { fromBytes: 1_048_576, fromPriority: 4 };

/** Whether a body is one of those that may have to wait; noted on its entry, so that the scheduler need not measure. */
export function isBulky(metered: Metered | null, bytes: number): boolean {
  return metered !== null && bytes >= metered.fromBytes;
}

/** @throws OutboxError `bad-option` */
export function checkMetered({ fromBytes, fromPriority }: Metered): void {
  if (!(fromBytes >= 0)) {
    throw new OutboxError('bad-option', `metered.fromBytes must be a number of bytes from 0, got ${fromBytes}`);
  }
  if (!Number.isInteger(fromPriority) || fromPriority < 0 || fromPriority > 7) {
    throw new OutboxError('bad-option', `metered.fromPriority must be a whole number from 0 to 7, got ${fromPriority}`);
  }
}
