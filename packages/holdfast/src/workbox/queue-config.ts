import { resolveConfig, type Resolved, type ResolvedRoute } from '../core/config';
import type { OutboxConfig } from '../core/options';
import { routeOfQueue, workboxOutbox } from './policy';

/** What of `defineOutbox` applies to these queues: the key's header, limits, hooks for the dead, and where logs go. */
export type QueueOutboxConfig = Pick<
  OutboxConfig,
  'key' | 'limits' | 'keep' | 'log' | 'logLevel' | 'durability' | 'onDead' | 'onTriage' | 'alreadyDone' | 'classify'
>;

/**
 * The outbox's config. Queues come and go with the app's releases, so a queue's route is made when it is asked for.
 * @param isExact whether any answer counts as delivered in this lane
 * @throws OutboxError `bad-option`
 */
export function queueConfig(settings: QueueOutboxConfig, isExact: (lane: string) => boolean): Resolved {
  const base = resolveConfig({ ...workboxOutbox, ...settings });
  const routes = new Map<string, ResolvedRoute>();
  function routeNamed(lane: string): ResolvedRoute {
    const exact = isExact(lane);
    const known = routes.get(`${exact} ${lane}`);
    if (known) return known;
    const route = resolveConfig({ ...base.config, routes: [routeOfQueue(lane, exact)] }).routeNamed(lane);
    routes.set(`${exact} ${lane}`, route);
    return route;
  }
  return {
    ...base,
    routeNamed,
    // Also methods that no list has.
    route: (request) => ({
      route: routeNamed(base.name),
      facts: { ...request, header: (name) => request.header(name), params: {} },
    }),
  };
}
