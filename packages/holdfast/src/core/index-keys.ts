import type { Entry } from './entry';

/**
 * The keys under which a row can be found. Each is an array of plain IndexedDB keys or absent, and an absent key keeps
 * the row out of that index: waiting entries behind the head of their lane are in no `ready` index, so a hundred
 * thousand of them cost the scheduler nothing.
 */
export interface IndexKeys {
  /** `[bucket, when, seq]`: due time of a lane's head, or the end of its lease while it is being sent. */
  readonly ready?: readonly [bucket: string, at: number, seq: number];
  /** `[lane key, seq]`: members of a lane that still stand in line. */
  readonly queue?: readonly [laneKey: string, seq: number];
  /** `[subject, state, seq]`: what the panel lists. */
  readonly shelf: readonly [subject: string, state: string, seq: number];
  /** `[state, finished or closed at]`: what retention may forget one day. */
  readonly done?: readonly [state: string, at: number];
  /** The entry's own deadline, epoch ms; only while it waits. */
  readonly expires?: number;
  /** Scope in which a newer write may take this one's place; only while it waits. */
  readonly replaceable?: string;
}

/** Separates the parts of a compound name; cannot occur in a URL or a header. */
const SEPARATOR = '\n';

/**
 * Entries that share every gate (subject, origin, route, whether they are bulky) and a priority. The scheduler asks gates per bucket, so that
 * what may not be sent now is not even read.
 */
export function bucketOf(entry: Pick<Entry, 'subject' | 'route' | 'priority' | 'request' | 'bulky'>): string {
  const { subject, route, priority, request, bulky } = entry;
  return [subject, originOf(request.url), route, String(priority), ...(bulky ? ['bulky'] : [])].join(SEPARATOR);
}

export interface BucketParts {
  readonly subject: string;
  readonly origin: string;
  readonly route: string;
  readonly priority: number;
  readonly bulky: boolean;
}

export function bucketParts(bucket: string): BucketParts {
  const [subject = '', origin = '', route = '', priority = '3', bulky] = bucket.split(SEPARATOR);
  return { subject, origin, route, priority: Number(priority), bulky: bulky !== undefined };
}

/** Lanes of different subjects never wait for each other. */
export function laneKeyOf(subject: string, lane: string): string {
  return subject + SEPARATOR + lane;
}

/** Not ended: it waits, or is being sent. */
export function isWaiting({ state }: Pick<Entry, 'state'>): boolean {
  return state === 'pending' || state === 'sending';
}

/** `https://host:port` of an absolute URL, without a URL parser (the core has none). */
export function originOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
}

export function indexKeys(entry: Entry): IndexKeys {
  const waiting = isWaiting(entry);
  const at = entry.state === 'sending' ? (entry.lease?.until ?? entry.dueAt) : entry.dueAt;
  const ready = entry.state === 'sending' || (entry.state === 'pending' && entry.head && !entry.waitsFor?.length);
  // Open dead letters are in no retention index: they stay until somebody acts.
  const endedAt =
    entry.state === 'delivered' ? entry.finishedAt : entry.state === 'dead' ? entry.dead?.closedAt : undefined;
  return {
    shelf: [entry.subject, entry.state, entry.seq],
    ...(ready && { ready: [bucketOf(entry), at, entry.seq] as const }),
    ...(waiting && entry.expiresAt !== undefined && { expires: entry.expiresAt }),
    ...((waiting || entry.holdsLane) &&
      entry.lane !== null && { queue: [laneKeyOf(entry.subject, entry.lane), entry.seq] as const }),
    ...(endedAt !== undefined && { done: [entry.state, endedAt] as const }),
    ...(waiting && entry.supersedes !== undefined && { replaceable: entry.supersedes }),
  };
}
