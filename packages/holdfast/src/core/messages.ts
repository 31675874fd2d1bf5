/**
 * Everything that travels between contexts. Versioned, because an old worker and a new page will meet: what is not
 * understood is ignored, and losing any message is harmless because the store has the truth.
 */
export type Message =
  /** Something changed; a page whose revision is older reads the store again. */
  | {
      readonly v: 1;
      readonly type: 'changed';
      readonly outbox: string;
      readonly revision: number;
      readonly ids: readonly string[];
    }
  /** Look at the queue now. From pages to the worker. */
  | { readonly v: 1; readonly type: 'wake'; readonly outbox: string; readonly why: string }
  /** The page aborted the request it made under this key: when it fails now, it is not to be kept. */
  | { readonly v: 1; readonly type: 'abandon'; readonly outbox: string; readonly key: string };

/**
 * The message when it is one of ours for this outbox, otherwise undefined. Anybody on the origin can post anything. That
 * something changed is taken from any release, whatever else it says of it: who did not look now might not for minutes.
 */
export function readMessage(data: unknown, outbox: string): Message | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { v, type, outbox: name, revision, ids, why, key } = data as Record<string, unknown>;
  if (typeof v !== 'number' || name !== outbox) return undefined;
  if (type === 'changed') {
    if (typeof revision === 'number' && Array.isArray(ids) && ids.every((id) => typeof id === 'string')) {
      return { v: 1, type, outbox, revision, ids };
    }
    return v === 1 ? undefined : { v: 1, type, outbox, revision: 0, ids: [] };
  }
  if (v !== 1) return undefined;
  if (type === 'wake' && typeof why === 'string') return { v, type, outbox, why };
  if (type === 'abandon' && typeof key === 'string') return { v, type, outbox, key };
  return undefined;
}

/** The worker's answer to "wake". */
export interface Awake {
  readonly v: 1;
  readonly type: 'awake';
  /** Names this run of the worker; workers of releases before this field leave it out. */
  readonly run?: string;
}

/**
 * What a worker said to "wake", when it is one that drains: of whatever version, since all there is to know is that somebody is
 * there. Anything else is another script's answer, and nobody may rely on that one to send.
 */
export function readAwake(data: unknown): { readonly run?: string } | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { v, type, run } = data as Record<string, unknown>;
  if (typeof v !== 'number' || type !== 'awake') return undefined;
  return typeof run === 'string' ? { run } : {};
}
