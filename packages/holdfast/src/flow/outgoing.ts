import type { ResolvedRoute } from '../core/config';
import type { Entry, RequestParts } from '../core/entry';
import { OutboxError } from '../core/errors';
import { originOf } from '../core/index-keys';
import type { SendView } from '../core/options';
import { viewOf } from '../core/snapshot';
import { headerOf, withHeaders } from '../core/header-pairs';
import { ageHeader, keyValue } from '../core/wire';
import type { Body, Outgoing } from '../ports';
import { complete } from './complete';
import type { Context } from './context';
import { withFields } from './fresh-body';
import { hook } from './hook';

/** What an attempt needs of an entry; a live attempt has it before there is a row. */
export type Sendable = Pick<Entry, 'key' | 'createdAt' | 'route' | 'ifMatch'> & { readonly request: RequestParts };

/**
 * The request as it leaves: the stored one, its key, and what must be fresh. The bytes are never changed, unless the app asks for
 * fresh fields.
 * @throws OutboxError `hook-failed` when `beforeSend` or `freshFields` fails, `not-storable` when the platform cannot make
 * this request
 */
export async function outgoing(
  context: Context,
  entry: Entry,
  route: ResolvedRoute,
  body: Body | null,
): Promise<Outgoing> {
  const whole = await complete(entry, body);
  const keyed = withKey(context, { ...entry, request: whole.request }, route);
  const ask = async <T extends string | null>(
    name: 'beforeSend' | 'freshFields',
    said: ((view: SendView) => Said<T> | Promise<Said<T>>) | undefined,
  ): Promise<Readonly<Record<string, T>>> => {
    if (!said) return {};
    const { method, url, headers } = keyed;
    const fresh = await hook(context, name, () => said({ entry: viewOf(entry, null), method, url, headers }));
    if (fresh !== undefined && (typeof fresh !== 'object' || fresh === null)) {
      throw new OutboxError('hook-failed', `${name} must return an object of names and values, or nothing`);
    }
    return fresh ?? {};
  };
  const hooks = context.config.config;
  const headers = await ask('beforeSend', route.beforeSend ?? hooks.beforeSend);
  const fields = await ask('freshFields', route.freshFields ?? hooks.freshFields);
  const type = headerOf(keyed.headers, 'content-type') ?? '';
  const sent = { ...keyed, headers: withHeaders(keyed.headers, headers) };
  try {
    context.transport.check(sent, whole.body !== null);
  } catch (cause) {
    if (Object.keys(headers).length === 0) throw cause;
    throw new OutboxError('hook-failed', 'with what beforeSend returned the request cannot be made', { cause });
  }
  return { ...sent, body: await withFields(whole.body, type, fields) };
}

/** What a hook for fresh values returns. */
type Said<T> = Readonly<Record<string, T>> | undefined;

/** The stored request with its key and, by option, its age: what the first live attempt sends too. */
export function withKey(context: Context, entry: Sendable, route: ResolvedRoute): RequestParts {
  const { key } = context.config;
  const target = originOf(entry.request.url);
  const keyAllowed = target === context.origin || key.crossOrigin.includes(target);
  const own = headerOf(entry.request.headers, key.header) !== null;
  const ageMs = Math.max(0, Math.round(context.system.now() - entry.createdAt));
  const set = {
    ...(entry.ifMatch !== undefined && { 'if-match': entry.ifMatch }),
    ...(keyAllowed && !own && { [key.header]: keyValue(entry.key, key) }),
    ...(route.sendAge && (target === context.origin || keyAllowed) && { [ageHeader]: String(ageMs) }),
  };
  return Object.keys(set).length > 0
    ? { ...entry.request, headers: withHeaders(entry.request.headers, set) }
    : entry.request;
}

/** Deadline of one attempt, milliseconds: the route's, plus the time a slow line needs for the body. */
export function deadlineMs(route: ResolvedRoute, sizeBytes: number): number {
  return Math.round(route.timeoutMs + (sizeBytes / route.minBytesPerSecond) * 1000);
}
