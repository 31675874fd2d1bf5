import { laneOf, type ResolvedRoute } from '../core/config';
import type { BodyInfo, RequestParts } from '../core/entry';
import { OutboxError } from '../core/errors';
import { isBulky } from '../core/metered';
import { urlParts, type RequestFacts } from '../core/request-facts';
import type { CallOptions } from '../core/options';
import { headerOf, isCredential } from '../core/header-pairs';
import { keyOfValue, keyValue } from '../core/wire';
import type { Body } from '../ports';
import type { Context } from './context';
import type { Intent } from './record';

/** Where a request was caught, to know it again when the engine dispatches it twice. */
export interface CaughtBy {
  readonly clientId: string;
  readonly run: string;
  /** Whether the page of a client id is still there. @default yes */
  readonly isOpen?: (clientId: string) => Promise<boolean>;
}

/** What routes and hooks may ask of a request. */
export function factsOf(request: RequestParts): Omit<RequestFacts, 'params'> {
  return {
    method: request.method,
    url: request.url,
    ...urlParts(request.url),
    mode: request.mode,
    header: (name) => headerOf(request.headers, name),
  };
}

/**
 * Turns a captured request into what will be stored: its key (made here, once), lane, priority, deadlines, owner.
 * @throws OutboxError `bad-option`, `not-storable`
 */
export function intentOf(
  context: Context,
  request: RequestParts,
  body: { readonly info: BodyInfo; readonly apart?: Body | undefined },
  found: { readonly route: ResolvedRoute; readonly facts: RequestFacts },
  call: CallOptions,
  subject: string,
): Intent {
  const { config, system } = context;
  const { route, facts } = found;
  const { limits, key: keys } = config;
  const now = system.now();
  if (body.info.size > limits.bodyBytes) {
    throw new OutboxError(
      'not-storable',
      `a body of ${body.info.size} bytes is over the limit of ${limits.bodyBytes} (limits.bodyBytes)`,
    );
  }
  // Found now, while somebody is there to hear it, and not by the first attempt in a week.
  context.transport.check(request, body.info.size > 0);
  const given = givenKey(context, request, call);
  const key = given ?? newKey(context);
  keyValue(key, keys);
  const priority = call.priority ?? route.priority;
  if (!Number.isInteger(priority) || priority < 0 || priority > 7) {
    throw new OutboxError('bad-option', `priority must be a whole number from 0 to 7, got ${priority}`);
  }
  const scope =
    call.supersede?.key ?? ((call.coalesce ?? route.coalesce) ? `${request.method} ${request.url}` : undefined);
  const lifeMs = call.expiresInMs ?? route.timeToLiveMs;
  const title = call.title ?? route.title?.(facts);
  const meta = plain(call.meta ?? route.meta?.(facts));
  const secret = route.secretHeaders.map((name) => name.toLowerCase());
  return {
    apart: body.apart,
    // One that is counted up may be made by two pages at once.
    keyIsNew: given === undefined && keys.kind !== 'device-time-sequence',
    supersedeMode: call.supersede?.mode ?? 'keep-latest',
    entry: {
      id: system.id(),
      key,
      route: route.name,
      lane: laneFor(call, route, facts),
      subject,
      priority,
      state: 'pending',
      dueAt: Math.max(now, call.notBefore ?? 0),
      createdAt: now,
      ...(call.notBefore !== undefined && { notBefore: call.notBefore }),
      ...(lifeMs !== Infinity && { expiresAt: now + lifeMs }),
      request: { ...request, headers: request.headers.filter(([name]) => !secret.includes(name.toLowerCase())) },
      body: body.info,
      attempts: 0,
      spent: {},
      tries: 0,
      outcome: 'never-sent',
      history: [],
      replays: 0,
      ...(request.headers.some(([name]) => isCredential(name) && !secret.includes(name.toLowerCase())) && {
        holdsSecrets: true as const,
      }),
      ...(route.chainEtags && headerOf(request.headers, 'if-match') !== null && { chained: true as const }),
      ...(isBulky(config.metered, body.info.size) && { bulky: true as const }),
      ...(title !== undefined && { title }),
      ...(meta !== undefined && { meta }),
      ...(call.dependsOn?.length && { dependsOn: [...call.dependsOn] }),
      ...(scope !== undefined && { supersedes: [subject, scope].join('\n') }),
    },
  };
}

/** The lane a request stands in; known before its body is read. @throws whatever the route's own function throws */
export function laneFor(call: CallOptions, route: ResolvedRoute, facts: RequestFacts): string | null {
  return call.lane !== undefined ? call.lane : laneOf(route, facts);
}

/** The key of an intent: the one the app set as a header, then the one of the call, else a new one. */
export function keyOf(context: Context, request: RequestParts, call: CallOptions): string {
  return givenKey(context, request, call) ?? newKey(context);
}

function givenKey({ config }: Context, request: RequestParts, call: CallOptions): string | undefined {
  const own = headerOf(request.headers, config.key.header);
  return own === null ? call.key : keyOfValue(own);
}

function newKey(context: Context): string {
  switch (context.config.key.kind) {
    case 'nanoid':
      return context.system.id();
    case 'uuid':
      return context.system.uuid();
    case 'device-time-sequence':
      return `${context.device()}-${context.system.now()}-${context.sequence()}`;
  }
}

/** Plain data only: a function or a class instance would fail in a browser's store and pass in Node's. */
function plain<T>(value: T): T {
  if (value === undefined) return value;
  try {
    return JSON.parse(JSON.stringify(value)) as T;
  } catch (cause) {
    throw new OutboxError('not-storable', 'meta must be plain data (what JSON can hold)', { cause });
  }
}
