import type { Entry } from '../core/entry';
import type { Context } from './context';
import { deadlineMs } from './outgoing';

/** Slack beyond an attempt's own deadline before anybody else may take the entry, ms. */
const slackMs = 30_000;

/** How long whoever takes this entry may keep it, ms. */
export function leaseMs(context: Context, entry: Pick<Entry, 'route' | 'body'>): number {
  return deadlineMs(context.config.routeNamed(entry.route), entry.body.size) + slackMs;
}

/** Whether its sender may still be at work. An end further away than any lease lasts is a clock that was turned back. */
export function leaseRuns(context: Context, entry: Entry, now: number): boolean {
  const leftMs = (entry.lease?.until ?? 0) - now;
  return leftMs > 0 && leftMs <= leaseMs(context, entry);
}

/** Whether a request must not leave any more: whoever sends it was held up until its lease or its own deadline ran out. */
export function isTooLate(context: Context, entry: Entry): boolean {
  const now = context.system.now();
  return (entry.lease !== undefined && !leaseRuns(context, entry, now)) || now >= (entry.expiresAt ?? Infinity);
}
