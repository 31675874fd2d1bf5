import type { Entry, Json } from '../core/entry';

/** What an entry of a Workbox queue has and others have not: further fields of its row. */
export interface Extras {
  /** As the app gave it: anything a structured clone takes. */
  readonly metadata?: object;
  readonly keepalive?: boolean;
  /** The database of the library it was moved from. */
  readonly movedFrom?: string;
  /** The app took it in its `onSync`, sent it, and went on to the next one: it counts as done when that run ends or dies. */
  readonly passed?: boolean;
}

export type QueuedEntry = Entry & { readonly workbox?: Extras };

export function extrasOf(entry: Entry): Extras {
  return (entry as QueuedEntry).workbox ?? {};
}

/** A patch for `ledger.update`, which knows only the fields every entry has. */
export function withExtras(entry: Entry, extras: Extras): Partial<Entry> {
  const patch: Partial<QueuedEntry> = { workbox: { ...extrasOf(entry), ...extras } };
  return patch;
}

/** What of the metadata pages can be shown: plain data only. The row keeps the rest too. */
export function shown(metadata: object | undefined): Json | undefined {
  if (metadata === undefined) return undefined;
  try {
    return JSON.parse(JSON.stringify(metadata)) as Json;
  } catch {
    return undefined;
  }
}
