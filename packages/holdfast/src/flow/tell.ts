import type { Entry } from '../core/entry';
import { viewOf } from '../core/snapshot';
import { log, type Context } from './context';
import { hook } from './hook';
import type { Judged } from './judge';

/** Log record, event and hook for what an attempt came to. */
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
  } else if (entry.state === 'dead') {
    const reason = entry.dead?.reason ?? 'rejected';
    log(context, {
      event: reason === 'exhausted' ? 'max_retry_exceeded' : reason === 'expired' ? 'expired' : 'dead',
      ...base,
      reason,
    });
    tellDead(context, entry);
  } else {
    log(context, { event: 'retry', ...base, delayMs: entry.lastDelayMs ?? 0, nextAt: entry.dueAt });
    context.tell({ type: 'changed', entry });
  }
}

/** The alert: an event for this context and the app's hook, which may fail without hurting anybody. */
export function tellDead(context: Context, entry: Entry): void {
  context.tell({ type: 'dead', entry });
  const route = context.config.routeNamed(entry.route);
  const onDead = route.onDead ?? context.config.config.onDead;
  if (onDead) void hook(context, 'onDead', () => onDead(viewOf(entry, null))).catch(() => undefined);
}
