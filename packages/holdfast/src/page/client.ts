import type { Json } from '../core/entry';
import type { EntryView, OutboxSnapshot, OutboxStatus, Settlement } from '../core/snapshot';
import type { WaitReason } from '../core/wait-reason';
import type { CallOptions } from '../core/options';
import type { Stats } from '../core/stats';

/** What `outbox.fetch` and `outbox.add` take beside the platform's own options. */
export type OutboxInit = RequestInit & { readonly outbox?: CallOptions };

/** Which entries an act is about; all given fields must fit. */
export interface EntryFilter {
  readonly ids?: readonly string[];
  readonly route?: string;
  readonly lane?: string | null;
  readonly state?: 'pending' | 'sending' | 'delivered' | 'dead';
}

export interface ListOptions extends EntryFilter {
  /** @default 100 */
  readonly limit?: number;
  /** `seq` of the last one seen, to read on. */
  readonly after?: number;
  /** @default 'oldest-first' */
  readonly direction?: 'oldest-first' | 'newest-first';
}

/** What to change in a waiting or dead request. Headers replace the whole list. */
export interface EntryChange {
  readonly url?: string;
  readonly method?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: Blob | string | ArrayBuffer | Uint8Array<ArrayBuffer> | null;
}

/** The content of a request for someone who wants to see or fix it. Read on demand, never part of a snapshot. */
export interface EntryContent {
  readonly method: string;
  readonly url: string;
  /** Secret ones redacted unless asked. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Blob | null;
}

export interface DeadLetters {
  list(options?: {
    readonly limit?: number;
    readonly after?: number;
    readonly triage?: 'open' | 'claimed' | 'closed';
  }): Promise<readonly EntryView[]>;
  /** Says who looks after it. */
  claim(id: string, assignee: string): Promise<EntryView>;
  /** Changes the request; a new key is made when the server had answered, otherwise key and bytes stay unless changed. */
  fix(id: string, change: EntryChange): Promise<EntryView>;
  /** Sends it again, in its old place. */
  replay(id: string): Promise<EntryView>;
  /** Done with it; `resolution` is for the record. */
  close(id: string, resolution: string): Promise<EntryView>;
  /** The same act on many; what could not be done is listed, not thrown. */
  bulk(
    act:
      | { readonly do: 'claim'; readonly assignee: string }
      | { readonly do: 'replay' }
      | { readonly do: 'close'; readonly resolution: string },
    filter?: EntryFilter,
  ): Promise<{
    readonly done: number;
    readonly failed: readonly { readonly id: string; readonly code: string; readonly message: string }[];
  }>;
}

/** What somebody who signs out leaves behind. Doing nothing about it keeps it for when this subject is back. */
export interface SignOut {
  /** Waiting or on its way. */
  readonly pending: number;
  /** Open dead letters. */
  readonly dead: number;
  /** Set when the store could not be asked: then nothing is known, and the numbers are 0. Signing out is possible all the same. */
  readonly problem?: { readonly code: string; readonly message: string };
  /** Keeps everything and signs out from an outbox that was told of the subject by `setSubject`. Never rejects. */
  keep(): Promise<void>;
  /** Tries once more for at most `waitMs`. Resolves with how many still wait; never rejects. @default 10_000 */
  sendNow(waitMs?: number): Promise<number>;
  /** Takes back what waits: it stays in the list as cancelled. What is on its way at this moment is not. Resolves with how many. */
  discard(): Promise<number>;
  /** Everything that is not delivered, with bodies, for a file. */
  export(): Promise<Json>;
}

export type OutboxEvent =
  | { readonly type: 'queued' | 'delivered' | 'dead' | 'changed'; readonly entry: EntryView }
  /** Nothing of this lane (null: of the whole outbox) waits any more: the moment to refetch. */
  | { readonly type: 'drained'; readonly lane: string | null }
  | { readonly type: 'pressure'; readonly pending: number; readonly message: string }
  | { readonly type: 'error'; readonly code: string; readonly message: string };

/** The page's side of an outbox. Every promise rejects with `OutboxError` only (except `fetch`, which behaves as `fetch`). */
export interface Outbox {
  readonly name: string;
  /** Like `fetch`; a write that matches a route and cannot be delivered is kept and answered as the route says. */
  readonly fetch: (input: RequestInfo | URL, init?: OutboxInit) => Promise<Response>;
  /** Queues without a live attempt; resolves when it is safely stored. */
  add(input: RequestInfo | URL, init?: OutboxInit): Promise<EntryView>;
  get(id: string): Promise<EntryView | undefined>;
  list(options?: ListOptions): Promise<readonly EntryView[]>;
  explain(id: string): Promise<WaitReason | null>;
  content(id: string, options?: { readonly secrets?: boolean }): Promise<EntryContent | undefined>;
  /** Calls back at once and after every change; fits `useSyncExternalStore` and Svelte's store contract. */
  subscribe(listener: (snapshot: OutboxSnapshot) => void): () => void;
  getSnapshot(): OutboxSnapshot;
  on(listener: (event: OutboxEvent) => void): () => void;
  /** Resolves with how the entry ended, in any tab, also after a reload. Rejects with `not-found`. */
  settled(id: string): Promise<Settlement>;
  /** Resolves when nothing waits (in this lane). */
  whenIdle(lane?: string | null): Promise<void>;
  /** What waits for URLs that fit the pattern (`/docs/:id`, `/*`). */
  pendingFor(pattern: string): Promise<readonly EntryView[]>;
  /** Tries now. `ignoreBackoff` makes what is due later due now; `force` also ignores `Retry-After` and the breaker. */
  flush(options?: { readonly ignoreBackoff?: boolean; readonly force?: boolean }): Promise<void>;
  pause(options?: {
    readonly route?: string;
    readonly lane?: string;
    readonly until?: number;
    readonly why?: string;
  }): Promise<void>;
  resume(options?: { readonly route?: string; readonly lane?: string }): Promise<void>;
  /** @throws OutboxError `outcome-unknown`, `changed-meanwhile`, `not-found`, `illegal-move` */
  cancel(id: string, options?: { readonly revision?: number; readonly reason?: string }): Promise<EntryView>;
  edit(id: string, change: EntryChange, options?: { readonly revision?: number }): Promise<EntryView>;
  /** How many were changed. @param priority 0 (most urgent) to 7 */
  reprioritize(filter: EntryFilter, priority: number): Promise<number>;
  readonly dead: DeadLetters;
  stats(): Promise<Stats>;
  status(): OutboxStatus;
  /** Compares what is held with keys the server knows: marks what it has, lists what it misses. */
  reconcile(keys: readonly string[]): Promise<{ readonly delivered: number; readonly missing: readonly string[] }>;
  export(filter?: EntryFilter, options?: { readonly secrets?: boolean }): Promise<Json>;
  import(file: Json): Promise<{ readonly added: number; readonly known: number }>;
  setSubject(subject: string | null): Promise<void>;
  signedIn(): Promise<void>;
  /** What is unsent, and what can be done about it. Never rejects and never waits for a server: nothing keeps anybody signed in. */
  beforeSignOut(): Promise<SignOut>;
  /** Forgets everything of a subject (the present one unless named), sent or not, and the key that sealed it. */
  purge(subject?: string): Promise<number>;
  /** Stops listening and timers; entries stay. */
  close(): void;
}
