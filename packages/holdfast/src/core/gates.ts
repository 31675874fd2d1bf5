import type { Gates, Pause } from './control';
import { bucketParts } from './index-keys';
import { own } from './own';
import { openAgainAt, type Window } from './windows';
import type { WaitReason } from './wait-reason';

/** A gate's answer: null when it is open, otherwise why not and until when. */
export type Shut = WaitReason | null;

export interface GateKeeper {
  /** Maintenance windows of a route. */
  readonly windowsOf: (route: string) => readonly Window[];
  /** How long the server of a route remembers keys, in milliseconds. @default for ever */
  readonly keyRetentionOf?: (route: string) => number;
  /** Whom entries may be sent for now; null when nobody is known and the app has subjects. */
  readonly subject: string | null;
  /** On a metered connection: bulky entries with this priority or a higher number wait. Null: none does. @default null */
  readonly bulkyFrom?: number | null;
}

/**
 * The first gate that holds a whole bucket back. Origin health and connectivity are not asked here: they limit how many go,
 * not whether (see `breaker.ts`, `connectivity.ts`).
 */
export function gateOf(bucket: string, gates: Gates, keeper: GateKeeper, now: number): Shut {
  const { subject, route, priority, bulky } = bucketParts(bucket);
  if (subject !== keeper.subject) return { kind: 'other-subject', until: null };
  if (own(gates.signIn, subject)) return { kind: 'sign-in', until: null };
  const paused = standing(gates.all, now) ?? standing(own(gates.routes, route), now);
  if (paused) return { kind: 'paused', until: paused.until, ...(paused.why !== undefined && { detail: paused.why }) };
  const { bulkyFrom = null } = keeper;
  if (bulky && bulkyFrom !== null && priority >= bulkyFrom) return { kind: 'metered', until: null };
  const reopensAt = openAgainAt(keeper.windowsOf(route), now);
  return reopensAt === null ? null : { kind: 'maintenance', until: reopensAt };
}

/** The pause while it lasts. */
export function standing(pause: Pause | undefined, now: number): Pause | null {
  return pause && (pause.until === null || pause.until > now) ? pause : null;
}
