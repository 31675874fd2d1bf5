import { parseStructuredList } from './structured-list';

/** One quota of a `RateLimit` field. */
export interface RateLimit {
  /** Name of the policy. */
  readonly p: string;
  /** What is left of it, in the policy's own unit. */
  readonly r: number;
  /** Seconds until it is filled up again, where the server says. */
  readonly t?: number;
}

/**
 * Reads a `RateLimit` field. A malformed field is no field; a member without a usable `r` is left out, a useless `t` is
 * taken for absent. The dictionary form of drafts 03 to 07 is another syntax and gives nothing.
 * @see draft-ietf-httpapi-ratelimit-headers
 */
export function parseRateLimit(field: string): RateLimit[] {
  const limits: RateLimit[] = [];
  for (const { item, parameters } of parseStructuredList(field) ?? []) {
    const count = (name: string): number | undefined => {
      const value = parameters.get(name);
      return value?.kind === 'integer' && value.value >= 0 ? value.value : undefined;
    };
    const [r, t] = [count('r'), count('t')];
    if (item.kind !== 'string' || r === undefined) continue;
    limits.push({ p: item.value, r, ...(t !== undefined && { t }) });
  }
  return limits;
}

/**
 * How long the quotas ask to wait: until the last of those that are used up is filled again.
 * @returns milliseconds, or null when none is used up or none says when
 */
export function rateLimitWaitMs(limits: readonly RateLimit[]): number | null {
  const waits = limits.flatMap(({ r, t }) => (r === 0 && t !== undefined ? [t * 1000] : []));
  return waits.length === 0 ? null : Math.max(...waits);
}
