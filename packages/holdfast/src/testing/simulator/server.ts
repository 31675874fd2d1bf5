import { problemTypes } from '../../core/problem-types';
import type { Outage, Scenario, ServerCapacity } from './scenario';

/** What comes back of an attempt; all moments in milliseconds since the start. */
export interface Reply {
  /** 0 when nothing came back. */
  readonly status: number;
  /** When it leaves the server; Infinity when it never does. */
  readonly at: number;
  readonly problemType?: string;
  readonly retryAfterMs?: number;
}

export interface SimulatedServer {
  /** One attempt that arrives at the door. */
  take(key: string, now: number): Reply;
}

/** Never slower than this share of what it can do, however many it turns away. */
const leastShare = 0.1;

/** How long what was turned away weighs on it, in milliseconds. */
const weighsForMs = 1_000;

/**
 * A server that is down, and then works off a bounded line, cold at first. Turning away costs it a little, so a storm of
 * attempts slows it down. It knows keys: what it has done is answered again without doing it, what it is doing with 409.
 */
export function createServer({
  outage,
  outageMs,
  server,
}: Pick<Scenario, 'outage' | 'outageMs' | 'server'>): SimulatedServer {
  /** When each accepted request is done, in order; `first` is the first that may still be in the line. */
  const ends: number[] = [];
  let first = 0;
  const doneAt = new Map<string, number>();
  let turnedAway = 0;
  let turnedAwayAt = 0;

  /** How many a second it turns away lately. */
  function pressure(now: number): number {
    return turnedAway * Math.exp((turnedAwayAt - now) / weighsForMs);
  }
  function cheap(reply: Reply, now: number): Reply {
    turnedAway = pressure(now) + 1;
    turnedAwayAt = now;
    return reply;
  }

  return {
    take(key, now) {
      if (now < outageMs) return whileDown(outage, now);
      const known = doneAt.get(key);
      if (known !== undefined) {
        const stillAt = known > now;
        return cheap(
          stillAt ? { status: 409, problemType: problemTypes.inProgress, at: now } : { status: 201, at: now },
          now,
        );
      }
      while (first < ends.length && (ends[first] ?? 0) <= now) first += 1;
      if (ends.length - first >= server.queue) return cheap(shed(server, now), now);
      const free = Math.max(now, ends.at(-1) ?? 0);
      const at = free + 1_000 / speed(server, free - outageMs, pressure(now));
      ends.push(at);
      doneAt.set(key, at);
      return { status: 201, at };
    },
  };
}

function shed({ retryAfterMs }: ServerCapacity, now: number): Reply {
  return { status: 503, at: now, ...(retryAfterMs !== null && { retryAfterMs }) };
}

function whileDown(outage: Outage, now: number): Reply {
  if (outage.kind !== 'answers') return { status: 0, at: Infinity };
  const { status, retryAfterMs } = outage;
  return { status, at: now, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Requests a second. */
function speed(server: ServerCapacity, upMs: number, pressure: number): number {
  const { perSecond, coldShare, warmUpMs, turnAwayShare } = server;
  const warmth = warmUpMs === 0 ? 1 : Math.min(1, coldShare + ((1 - coldShare) * upMs) / warmUpMs);
  return perSecond * warmth * Math.max(leastShare, 1 - (turnAwayShare * pressure) / perSecond);
}
