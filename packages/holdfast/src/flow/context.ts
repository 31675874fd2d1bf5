import type { Resolved } from '../core/config';
import type { BodyInfo, Entry, RequestParts } from '../core/entry';
import type { LogRecord } from '../core/log';
import type { Body, Ports } from '../ports';

/** Seals requests at rest. */
export interface Vault {
  seal(subject: string, headers: RequestParts['headers'], body: Uint8Array | null): Promise<Uint8Array>;
  /** @throws OutboxError `unreadable` */
  open(subject: string, sealed: Uint8Array): Promise<{ headers: RequestParts['headers']; body: Uint8Array | null }>;
  forget(subject: string): Promise<void>;
}

/** What a context (a page or a worker) gives the flow to work with. */
export interface Context extends Ports {
  readonly config: Resolved;
  /** Names this context in leases; new on every start. */
  readonly owner: string;
  /** `https://host:port` of the app. */
  readonly origin: string;
  /** Whom entries are made and sent for; `''` where the app has no subjects, null when it has and nobody is known. */
  subject(): Promise<string | null>;
  /** The same, as of a moment ago: see `whoIsSignedIn`. */
  recentSubject(): Promise<string | null>;
  /** Decides where a body is kept and measures it; everything slow about it happens before a transaction opens. */
  readonly prepareBody: (
    body: Body | null,
    type: string,
  ) => Promise<{ readonly info: BodyInfo; readonly apart?: Body | undefined }>;
  /** The body of a stored entry, complete and as it was. @throws OutboxError `unreadable` */
  readonly loadBody: (entry: Entry) => Promise<Body | null>;
  /** Seals requests at rest, when the config says `encrypt`. */
  readonly vault?: Vault | undefined;
  /** Names this device in `device-time-sequence` keys; kept with the store. */
  device(): string;
  /** Counts up within this context. */
  sequence(): number;
  /** Tells this context's own listeners; other contexts learn from the channel. */
  readonly tell: (event: FlowEvent) => void;
}

/** What happened to an entry, for events, logs and hooks. */
export type FlowEvent =
  | { readonly type: 'queued' | 'delivered' | 'dead' | 'changed'; readonly entry: Entry }
  | { readonly type: 'drained'; readonly lane: string | null }
  | { readonly type: 'pressure'; readonly pending: number }
  | { readonly type: 'error'; readonly code: string; readonly message: string };

/** Writes one structured record; a sink that throws loses its record and nothing else. */
export function log(
  context: Pick<Context, 'config' | 'system'>,
  record: Omit<LogRecord, 'at' | 'level'> & { level?: 'info' | 'debug' },
): void {
  const { log: sink, logLevel = 'info' } = context.config.config;
  const level = record.level ?? 'info';
  if (!sink || (level === 'debug' && logLevel !== 'debug')) return;
  try {
    sink({ ...record, level, at: context.system.now() });
  } catch {
    // The app's sink is broken; the queue must not be.
  }
}
