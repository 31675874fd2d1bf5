import { checkBackoff, defaultBackoff } from './backoff';
import { budgetsFrom } from './budget';
import { OutboxError } from './errors';
import { checkMetered, defaultMetered, type Metered } from './metered';
import {
  defaultKeep,
  defaultKey,
  defaultLimits,
  type Keep,
  type KeyOptions,
  type Limits,
  type OutboxConfig,
  type RetryPolicy,
  type Route,
} from './options';
import { compilePattern, type Matcher } from './pattern';
import type { RequestFacts } from './request-facts';
import { checkVerdicts } from './verdict-table';
import { checkWindows } from './windows';

/** A route with every default in place. */
export type ResolvedRoute = Route &
  Required<
    Pick<
      Route,
      | 'methods'
      | 'priority'
      | 'capture'
      | 'reply'
      | 'verdicts'
      | 'timeoutMs'
      | 'minBytesPerSecond'
      | 'timeToLiveMs'
      | 'keyRetentionMs'
      | 'laneOnDead'
      | 'coalesce'
      | 'chainEtags'
      | 'maintenance'
      | 'keepHeaders'
      | 'keepBodyBytes'
      | 'authStatuses'
      | 'expects'
      | 'redirects'
      | 'secretHeaders'
      | 'sendAge'
    >
  > & { readonly retry: RetryPolicy };

/** The config with every default in place and the patterns compiled. */
export interface Resolved {
  readonly name: string;
  readonly routes: readonly ResolvedRoute[];
  readonly key: KeyOptions;
  readonly limits: Limits;
  readonly keep: Keep;
  /** Null where nothing waits for a cheaper connection. */
  readonly metered: Metered | null;
  readonly concurrency: number;
  readonly durability: 'strict' | 'relaxed';
  readonly config: OutboxConfig;
  /** The route of a request, or undefined: then it is none of our business. */
  route(
    request: Omit<RequestFacts, 'params'>,
    ownOrigin: string,
  ): { route: ResolvedRoute; facts: RequestFacts } | undefined;
  /** By name; an entry of a route that is gone keeps the defaults, so that it can still be delivered. */
  routeNamed(name: string): ResolvedRoute;
}

/** Defaults of a route; `@default` in `options.ts` repeats them and a test compares the two. */
export const defaultRoute = {
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  priority: 3,
  capture: 'on-failure',
  reply: 'queued',
  verdicts: {},
  timeoutMs: 30_000,
  minBytesPerSecond: 20_000,
  timeToLiveMs: Infinity,
  keyRetentionMs: 86_400_000,
  laneOnDead: 'continue',
  coalesce: false,
  chainEtags: false,
  maintenance: [],
  keepHeaders: ['content-type', 'location', 'etag', 'idempotency-replayed'],
  keepBodyBytes: 16_384,
  authStatuses: [],
  expects: 'accept',
  redirects: 'refuse',
  secretHeaders: [],
  sendAge: false,
} as const;

/** Headers that are not stored when a `beforeSend` hook can supply them fresh. */
export const defaultSecretHeaders = ['authorization', 'x-csrf-token', 'x-xsrf-token', 'cookie'] as const;

/**
 * Checks a config and fills it in.
 * @throws OutboxError `bad-option` naming the option, the value and what is allowed
 */
export function resolveConfig(config: OutboxConfig): Resolved {
  const name = config.name ?? 'outbox';
  if (!/^[\w.-]{1,64}$/.test(name)) bad('name', name, '1 to 64 letters, digits, ".", "_" or "-"');
  const concurrency = config.concurrency ?? 3;
  if (!Number.isInteger(concurrency) || concurrency < 1) bad('concurrency', concurrency, 'a whole number from 1');
  if (!Array.isArray(config.routes)) bad('routes', config.routes, 'an array of routes');
  const routes = (config.routes as readonly Route[]).map((route) => resolveRoute(route, config));
  const names = new Set(routes.map((route) => route.name));
  if (names.size < routes.length) bad('routes', 'two with one name', 'a different name for each route');
  const metered = config.metered ? { ...defaultMetered, ...config.metered } : null;
  if (metered) checkMetered(metered);
  const matchers = new Map(routes.map((route) => [route, matcherOf(route)]));
  const fallback = resolveRoute({ name: '', match: '/' }, config);

  return {
    name,
    routes,
    key: { ...defaultKey, ...config.key },
    limits: { ...defaultLimits, ...config.limits },
    keep: { ...defaultKeep, ...config.keep },
    metered,
    concurrency,
    durability: config.durability ?? 'strict',
    config,
    route(request, ownOrigin) {
      for (const route of routes) {
        if (!route.methods.includes(request.method)) continue;
        const params = matchers.get(route)?.(request, ownOrigin);
        if (params) return { route, facts: { ...request, header: (name) => request.header(name), params } };
      }
      return undefined;
    },
    routeNamed: (wanted) => routes.find((route) => route.name === wanted) ?? { ...fallback, name: wanted },
  };
}

function resolveRoute(route: Route, config: OutboxConfig): ResolvedRoute {
  if (typeof route.name !== 'string' || /[\n\r]/.test(route.name)) bad('route.name', route.name, 'a one-line string');
  const resolved = {
    ...defaultRoute,
    secretHeaders: (route.beforeSend ?? config.beforeSend) ? defaultSecretHeaders : [],
    ...route,
    methods: (route.methods ?? defaultRoute.methods).map((method) => method.toUpperCase()),
    retry: {
      backoff: { ...defaultBackoff, ...config.retry?.backoff, ...route.retry?.backoff },
      budgets: budgetsFrom({ ...config.retry?.budgets, ...route.retry?.budgets }),
    },
  };
  checkBackoff(resolved.retry.backoff);
  checkVerdicts(resolved.verdicts);
  checkWindows(resolved.maintenance);
  const { priority, timeoutMs } = resolved;
  if (!Number.isInteger(priority) || priority < 0 || priority > 7)
    bad('priority', priority, 'a whole number from 0 to 7');
  if (!(timeoutMs > 0)) bad('timeoutMs', timeoutMs, 'more than 0 milliseconds');
  return resolved;
}

type Match = (request: Omit<RequestFacts, 'params'>, ownOrigin: string) => Readonly<Record<string, string>> | null;

function matcherOf(route: Route): Match {
  const { match } = route;
  if (typeof match === 'string') {
    const matcher: Matcher = compilePattern(match);
    return (request, ownOrigin) => matcher(request.url, ownOrigin);
  }
  if (match instanceof RegExp)
    return (request) => (new RegExp(match.source, match.flags.replace(/[gy]/g, '')).test(request.url) ? {} : null);
  if (typeof match === 'function')
    return (request) => (match({ ...request, header: (name) => request.header(name), params: {} }) ? {} : null);
  return bad('match', match, 'a pattern, a RegExp or a function');
}

/** The lane a request belongs to; templates take the pattern's names (`doc-:id`). */
export function laneOf(route: ResolvedRoute, facts: RequestFacts): string | null {
  const { lane } = route;
  if (lane === undefined) return route.name;
  if (typeof lane === 'function') return lane(facts);
  return lane === null ? null : lane.replace(/:([A-Za-z_]\w*)/g, (whole, name: string) => facts.params[name] ?? whole);
}

function bad(option: string, value: unknown, allowed: string): never {
  throw new OutboxError('bad-option', `${option} must be ${allowed}, got ${String(value)}`);
}
