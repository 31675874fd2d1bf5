import type { WakeReason } from '../../flow/wake-reason';
import type { Mood } from './server';

/** Numbers that choose among what is there at that moment: the nth tab awake, the nth row. */
type Nth = number;

/** A request the app makes. */
export interface Wish {
  readonly place: number;
  /** Names another line, or none; absent: the place's own. */
  readonly lane?: 'shared' | null;
  readonly priority?: number;
  readonly expiresInMs?: number;
  /** From now, ms. */
  readonly notBeforeMs?: number;
  /** Depends on the nth row. */
  readonly dependsOn?: Nth;
  readonly coalesce?: true;
  /** A body that is kept apart. */
  readonly long?: true;
}

export type Scope = { readonly route: string } | { readonly lane: string } | Record<string, never>;

/** How a step is broken off: after so many turns of the promises the tab is killed, frozen or robbed. */
export interface Mishap {
  readonly what: 'kill' | 'freeze' | 'rob';
  readonly after: number;
}

export type Act =
  | { readonly act: 'fetch' | 'add'; readonly wish: Wish }
  | { readonly act: 'wake'; readonly why: WakeReason }
  | { readonly act: 'pause'; readonly scope: Scope; readonly forMs: number | null }
  | { readonly act: 'resume'; readonly scope: Scope }
  | { readonly act: 'edit'; readonly row: Nth; readonly place?: number }
  | { readonly act: 'cancel'; readonly row: Nth; readonly evenIfUnknown: boolean }
  | { readonly act: 'reprioritize'; readonly lane?: string; readonly row?: Nth; readonly priority: number }
  | { readonly act: 'claim' | 'replay' | 'close'; readonly row: Nth }
  | { readonly act: 'flush'; readonly ignoreBackoff: boolean; readonly force: boolean }
  | { readonly act: 'transfer' };

/** One step of a history: plain data, so that a counterexample can be read and played again. */
export type Step =
  | (Act & { readonly tab: Nth; readonly mishap?: Mishap })
  | { readonly act: 'pass'; readonly ms: number }
  | { readonly act: 'jump'; readonly ms: number }
  | {
      readonly act: 'line';
      readonly online: boolean;
      /** What the platform says of it. */
      readonly says: boolean;
      /** Whether the tabs hear of it. */
      readonly hint: boolean;
    }
  /** The platform says whether bytes cost money. */
  | { readonly act: 'cost'; readonly metered: boolean }
  | { readonly act: 'server'; readonly origin: 0 | 1; readonly moods: readonly Mood[] }
  | { readonly act: 'open' }
  | { readonly act: 'kill' | 'freeze'; readonly tab: Nth }
  | { readonly act: 'thaw' }
  | { readonly act: 'rob' }
  | { readonly act: 'storage'; readonly failing: number };
