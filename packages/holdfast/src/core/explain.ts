import { mayGo, quietUntil } from './breaker';
import { clockIsTrusted } from './clock';
import { mayReach } from './connectivity';
import type { Gates } from './control';
import type { Entry } from './entry';
import { type GateKeeper, gateOf, standing } from './gates';
import { bucketOf, laneKeyOf, originOf } from './index-keys';
import { unfit } from './readiness';
import type { WaitReason } from './wait-reason';

/**
 * Why an entry is not being sent now, or null when it is not pending. Of several reasons the one is told that a person has to
 * act on first, then what lies with the entry, with the target, and with time alone.
 *
 * @param now epoch ms
 */
export function explain(entry: Entry, gates: Gates, keeper: GateKeeper, now: number): WaitReason | null {
  if (entry.state !== 'pending') return null;
  const lane = entry.lane === null ? null : standing(gates.lanes[laneKeyOf(entry.subject, entry.lane)], now);
  const lanePause: WaitReason | null = lane && {
    kind: 'paused',
    until: lane.until,
    ...(lane.why !== undefined && { detail: lane.why }),
  };
  const shut = gateOf(bucketOf(entry), gates, keeper, now);
  return (
    shut ??
    lanePause ??
    inLine(entry, now) ??
    inDoubt(entry, gates, keeper, now) ??
    atTarget(entry, gates, now) ??
    inTime(entry, now)
  );
}

function inLine({ waitsFor, head, notBefore }: Entry, now: number): WaitReason | null {
  if (waitsFor && waitsFor.length > 0) return { kind: 'waits-for', until: null, detail: waitsFor.join(', ') };
  if (!head) return { kind: 'behind-lane', until: null };
  return notBefore !== undefined && notBefore > now ? { kind: 'not-before', until: notBefore } : null;
}

/** On a clock that leapt nobody can tell whether it is too old; it neither goes nor dies before that is known. */
function inDoubt(entry: Entry, { clock }: Gates, { keyRetentionOf }: GateKeeper, now: number): WaitReason | null {
  if (clockIsTrusted(clock, now) || !unfit(entry, now, keyRetentionOf?.(entry.route) ?? Infinity)) return null;
  return { kind: 'clock-in-doubt', until: clock.doubtUntil };
}

function atTarget({ request }: Entry, gates: Gates, now: number): WaitReason | null {
  const origin = originOf(request.url);
  const gate = gates.origins[origin];
  const { allowed, nextAt = null } = mayGo(gate, now);
  if (allowed === 0) {
    const kind = nextAt !== null && nextAt === quietUntil(gate, now) ? 'origin-paused' : 'breaker-open';
    return { kind, until: nextAt, detail: origin };
  }
  const reach = mayReach(gates.connectivity, now);
  return reach.allowed === 0 ? { kind: 'offline', until: reach.nextAt ?? null } : null;
}

function inTime({ dueAt }: Entry, now: number): WaitReason {
  return dueAt > now ? { kind: 'due-later', until: dueAt } : { kind: 'due-now', until: null };
}
