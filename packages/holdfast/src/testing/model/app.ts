import type { RequestParts } from '../../core/entry';
import type { LogSink } from '../../core/log';
import type { OutboxConfig } from '../../core/options';

/*
 * The app of the model: routes of every kind the flow treats differently, and the places its requests go to. Budgets and
 * retention are small, so that short histories reach their ends.
 */

export const appOrigin = 'https://app.example';
export const apiOrigin = 'https://api.example';
export const origins = [appOrigin, apiOrigin] as const;

/** Where a request goes, and in which line it stands when the call names none. */
export interface Place {
  readonly url: string;
  readonly lane: string | null;
  /** Its route's time to live, ms. */
  readonly lifeMs?: number;
}

export const places: readonly Place[] = [
  { url: `${appOrigin}/docs/a`, lane: 'doc-a' },
  { url: `${appOrigin}/docs/b`, lane: 'doc-b' },
  { url: `${appOrigin}/orders`, lane: 'orders' },
  { url: `${appOrigin}/free`, lane: null },
  { url: `${appOrigin}/ahead`, lane: null },
  { url: `${appOrigin}/strict`, lane: 'strict' },
  { url: `${appOrigin}/brief`, lane: 'brief', lifeMs: 120_000 },
  { url: `${apiOrigin}/urgent`, lane: null },
  { url: `${apiOrigin}/things`, lane: 'api' },
  { url: `${appOrigin}/mixed`, lane: 'mixed' },
  { url: `${apiOrigin}/mixed`, lane: 'mixed' },
];

/** Routes a pause can name. */
export const routeNames = ['docs', 'orders', 'free', 'api'] as const;
/** Lanes a pause, a stop or a change of priority can name. */
export const laneNames = ['doc-a', 'orders', 'mixed', 'shared'] as const;

export const keep = { deliveredMs: 600_000, deliveredMax: 8, closedMs: 3_600_000 };

/** No lease of these routes is longer, ms: one that ends later was made on a clock that was turned back since. */
export const longestLeaseMs = 120_000;

/** Longest `Retry-After` any answer of the model has, ms. */
export const longestAskedMs = 90_000;

/** On a metered connection rows kept apart wait, unless they are more urgent than this. */
export const metered = { fromBytes: 65, fromPriority: 3 };

export interface Variant {
  /** Small limits, and what happens at them. */
  readonly limits: 'roomy' | 'refuse' | 'drop-oldest';
}

/** Whether a place wants a fresh stamp in the body of each attempt. */
export const wantsStamp = (url: string): boolean => url.endsWith('/free');

/** Whether a place minds preconditions: a write of it is made on top of what was there. */
export const mindsEtags = (url: string): boolean => url.includes('/docs/');

/** What is in a body that nobody has made fresh. */
export const oldStamp = '-';

export function appConfig({ limits }: Variant, startAt: number, log: LogSink): OutboxConfig {
  return {
    routes: [
      { name: 'docs', match: '/docs/:id', lane: 'doc-:id', chainEtags: true },
      { name: 'orders', match: '/orders', capture: 'write-ahead' },
      { name: 'free', match: '/free', lane: null, freshFields: () => ({ stamp: 'new' }) },
      { name: 'ahead', match: '/ahead', lane: null, capture: 'write-ahead' },
      {
        name: 'strict',
        match: '/strict',
        laneOnDead: 'hold-lane',
        maintenance: [{ from: startAt + 200_000, to: startAt + 500_000 }],
      },
      { name: 'brief', match: '/brief', timeToLiveMs: 120_000 },
      { name: 'urgent', match: `${apiOrigin}/urgent`, lane: null, priority: 0 },
      { name: 'mixed', match: /\/mixed$/ },
      { name: 'api', match: `${apiOrigin}/*` },
    ],
    key: { crossOrigin: [apiOrigin] },
    retry: { budgets: { network: 3, timeout: 2, server: 3, overload: 2, 'in-progress': 60 } },
    keep,
    metered,
    ...(limits !== 'roomy' && { limits: { entries: 5, perLane: 3, onFull: limits } }),
    log,
    logLevel: 'debug',
  };
}

/** Bytes of this size lie in the row; the longer ones are kept apart. */
export const inlineBytes = 64;

/** A request's body names its intent and version, so that the server's ledger needs no key to tell them apart. */
export function bodyOf(intent: number, version: number, long: boolean): Uint8Array {
  const text = JSON.stringify({ intent, version, stamp: oldStamp, ...(long && { more: 'x'.repeat(inlineBytes) }) });
  return new TextEncoder().encode(text);
}

/** The stamp of a body. */
export function stampOf(body: Uint8Array): string {
  return (JSON.parse(new TextDecoder().decode(body)) as { stamp: string }).stamp;
}

/** `intent.version` of a body. */
export function markOf(body: Uint8Array): string {
  const { intent, version } = JSON.parse(new TextDecoder().decode(body)) as { intent: number; version: number };
  return `${intent}.${version}`;
}

export function requestTo(url: string): RequestParts {
  return {
    method: 'POST',
    url,
    headers: [
      ['content-type', 'application/json'],
      ['accept', 'application/json'],
      ...(mindsEtags(url) ? ([['if-match', '"before"']] as const) : []),
    ],
    mode: 'cors',
    credentials: 'same-origin',
    cache: 'default',
    redirect: 'follow',
    referrer: 'about:client',
    referrerPolicy: '',
    integrity: '',
  };
}
