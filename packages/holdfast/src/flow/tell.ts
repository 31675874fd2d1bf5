import { viewOf } from '../core/snapshot';
import type { DeadReason, Entry } from '../core/entry';
import type { LogRecord } from '../core/log';
import { isByAct } from './bury';
import { log, type Context } from './context';
import { hook } from './hook';
import type { Judged } from './judge';

/** Log record and event for what an attempt came to; of the dead `notify` tells. */
export function tellFate(context: Context, entry: Entry, judged: Judged): void {
  const { verdict } = judged;
  const base = {
    id: entry.id,
    route: entry.route,
    class: verdict.class,
    status: entry.lastFailure?.status ?? entry.answer?.status ?? 0,
    attempt: entry.tries,
  };
  if (entry.state === 'delivered') {
    log(context, { event: 'delivered', ...base });
    context.tell({ type: 'delivered', entry });
  } else if (entry.state === 'pending') {
    log(context, { event: 'retry', ...base, delayMs: entry.lastDelayMs ?? 0, nextAt: entry.dueAt });
    context.tell({ type: 'changed', entry });
  }
}

/** Deaths that have a log event of their own. */
const eventOf: { readonly [reason in DeadReason]?: LogRecord['event'] } = {
  exhausted: 'max_retry_exceeded',
  expired: 'expired',
  dropped: 'dropped',
};

/**
 * The alert: a log record, an event for this context and the app's hook, which may fail without hurting anybody. What was
 * closed by an act of a person or of the app is only a change.
 */
export function tellDead(context: Context, entry: Entry): void {
  const { id, route: name, dead, lastFailure, tries } = entry;
  const reason = dead?.reason ?? 'rejected';
  if (isByAct(reason)) return context.tell({ type: 'changed', entry });
  log(context, {
    event: eventOf[reason] ?? 'dead',
    id,
    route: name,
    ...(lastFailure && { class: lastFailure.class, status: lastFailure.status }),
    attempt: tries,
    reason,
  });
  context.tell({ type: 'dead', entry });
  const route = context.config.routeNamed(entry.route);
  const onDead = route.onDead ?? context.config.config.onDead;
  if (onDead) void hook(context, 'onDead', () => onDead(viewOf(entry, null))).catch(() => undefined);
}
