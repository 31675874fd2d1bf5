import type { Book, Gates } from '../../core/control';
import type { Entry } from '../../core/entry';

/** One request the app wanted, as the app sees it: what it was told, and nothing the outbox keeps inside. */
export interface Intent {
  readonly n: number;
  readonly tab: string;
  readonly lane: string | null;
  /** Moments are counts of what has happened, not times: clocks jump. */
  readonly madeAt: number;
  /** `open`: the call has not come back (or its tab is dead). `failed`: the app was told that it is not kept. */
  told: 'open' | 'queued' | 'answered' | 'failed';
  toldAt?: number;
  /** The entry's id, once the app was told. */
  id?: string;
  /** Version of the content; an edit makes the next. */
  version: number;
  /** Nothing of it may leave at or after this moment, epoch ms. */
  readonly deadline: number;
  /** Storage failed while the call was under way: then it may go past a backlog nobody could see. */
  blind: boolean;
  /** While an edit is under way its row may change its content. */
  editing: boolean;
  /** When it was first seen in the dead letters. */
  diedAt?: number;
  /** When the server did it, by version. */
  readonly doneAt: Map<number, number>;
}

/** Everything seen from outside: committed rows, the server's ledger, what the app was told. */
export interface Facts {
  readonly intents: Map<number, Intent>;
  /** As of the last commit. */
  readonly rows: Map<number, Entry>;
  book: Book | undefined;
  gates: Gates | undefined;
  /** Who changed a row last. */
  readonly touchedBy: Map<number, string>;
  /** Who changed the gates last. */
  gatesTouchedBy: string | undefined;
  /** The row of an id when it was last seen. */
  readonly lastSeen: Map<string, Entry>;
  /**
   * Keys whose request was cut off while the platform said "offline", although it may have arrived. That it never left is
   * then believed, by design: a platform that lies and a server that answers nothing come together too rarely.
   */
  readonly lied: Set<string>;
  readonly violations: string[];
  /** A new count of what has happened. */
  tick(): number;
  violated(promise: string, what: string): void;
}

export function createFacts(): Facts {
  let ticks = 0;
  const violations: string[] = [];
  return {
    intents: new Map(),
    rows: new Map(),
    book: undefined,
    gates: undefined,
    touchedBy: new Map(),
    gatesTouchedBy: undefined,
    lastSeen: new Map(),
    lied: new Set(),
    violations,
    tick: () => (ticks += 1),
    violated: (promise, what) => void violations.push(`${promise}: ${what}`),
  };
}

/** The intent of a row: the app's own number travels in `meta`. */
export function intentOfRow(facts: Facts, entry: Entry): Intent | undefined {
  const { n } = (entry.meta ?? {}) as { readonly n?: number };
  return n === undefined ? undefined : facts.intents.get(n);
}

export function rowByKey(facts: Facts, key: string): Entry | undefined {
  for (const row of facts.rows.values()) if (row.key === key) return row;
  return undefined;
}

/** For people who read a counterexample. */
export function nameOf(entry: Entry): string {
  const { n } = (entry.meta ?? {}) as { readonly n?: number };
  return `#${n ?? entry.id} (${entry.state}, lane ${entry.lane ?? '-'}, seq ${entry.seq})`;
}
