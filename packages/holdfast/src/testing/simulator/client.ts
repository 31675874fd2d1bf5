import { afterOutcome, mayGo } from '../../core/breaker';
import { classify, type AttemptFacts } from '../../core/classify';
import { afterAttempt, afterHint, isSettling, mayReach, unknownConnectivity } from '../../core/connectivity';
import type { OriginGate } from '../../core/control';
import type { Entry } from '../../core/entry';
import { originOf } from '../../core/index-keys';
import { advance } from '../../core/lifecycle';
import { pick } from '../../core/pick';
import { afterRecovery } from '../../core/recovery';
import { askedWaitMs } from '../../core/retry-after';
import { settlement } from '../../core/settlement';
import { sampleAttempt, sampleRecord } from '../sample-attempt';
import { sampleEntry } from '../sample-entry';
import type { Agenda } from './agenda';
import type { SimulatedPolicy } from './policies';
import type { Reply } from './server';

/** What surrounds a client. */
export interface ClientWorld {
  readonly agenda: Agenda;
  readonly policy: SimulatedPolicy;
  /** A number in [0, 1): the client's own dice. */
  readonly roll: () => number;
  readonly ordered: boolean;
  /** Sends an attempt; `done` is called with what came back, or null after the client's own deadline. */
  send(key: string, now: number, done: (reply: Reply | null, now: number) => void): void;
  /** An entry came to its end. */
  ended(entry: Entry, now: number): void;
}

export interface SimulatedClient {
  /** The app makes a write. */
  write(seq: number, now: number): void;
  /** The browser reports `online`. */
  online(now: number): void;
}

const origin = originOf(sampleAttempt.requestUrl);
const none: Entry['history'] = [];

/** A browser with an outbox: the decisions are the core's own, only store, lock and network are left out. */
export function createClient(world: ClientWorld): SimulatedClient {
  const { policy, roll, agenda } = world;
  /** Whatever has not come to its end, in the order in which it was made. */
  let line: Entry[] = [];
  let gate: OriginGate | undefined;
  let connectivity = unknownConnectivity;
  /** The ones under way, by `seq`. */
  const going = new Set<number>();
  let alarm = 0;

  /** Sends what may go now, and sees to it that it looks again. */
  function look(now: number, hinted = false): void {
    const reach = policy.connectivity
      ? mayReach(connectivity, now, hinted, policy.connectivity)
      : { allowed: Infinity };
    const cap = policy.breaker?.cap ?? 3;
    const go = mayGo(policy.breaker ? gate : undefined, now, { cap, hinted });
    const allowed = Math.min(reach.allowed, go.allowed);
    const heads = (world.ordered ? line.slice(0, 1) : line).filter(({ seq }) => !going.has(seq));
    const due = heads.filter(({ dueAt }) => dueAt <= now);
    if (due.length > 0 && allowed > 0) {
      const chosen = pick(due, new Map([[origin, going.size]]), new Map([[origin, allowed]]), now, { cap });
      for (const entry of chosen) send(entry, now);
    }
    const quietUntil = allowed > 0 ? 0 : Math.max(reach.nextAt ?? 0, go.nextAt ?? 0);
    const moments = heads.map(({ dueAt }) => Math.max(dueAt, quietUntil)).filter((at) => at > now);
    const mine = (alarm += 1);
    if (moments.length > 0) agenda.note(Math.min(...moments), (then) => mine === alarm && look(then));
  }

  function send(entry: Entry, now: number): void {
    going.add(entry.seq);
    world.send(entry.key, now, (reply, then) => {
      going.delete(entry.seq);
      settle(entry, reply, now, then);
      look(then);
    });
  }

  function settle(entry: Entry, reply: Reply | null, sentAt: number, now: number): void {
    const wasDown = isDown();
    const settling = policy.connectivity !== null && isSettling(connectivity, sentAt, policy.connectivity);
    const dice = roll();
    if (policy.connectivity) {
      const reached = reply === null ? 'timeout' : reply.status === 0 ? 'rejected' : 'reached';
      connectivity = afterAttempt(connectivity, reached, now, dice, policy.connectivity);
    }
    const verdict = classify({ ...factsOf(reply), ...outlook(entry), settling });
    const asks = policy.obeysRetryAfter && reply?.retryAfterMs !== undefined;
    const askedMs = asks ? askedWaitMs([['retry-after', String(Math.ceil(reply.retryAfterMs / 1_000))]], now) : null;
    const record = sampleRecord(reply?.status ?? 0, { tookMs: now - sentAt, askedMs });
    const { move, patch } = settlement(entry, verdict, record, policy.retry, now, roll());
    const state = advance(advance(entry.state, 'claim'), move);
    const asked = askedMs === null ? {} : { askedUntil: now + askedMs };
    // The history decides nothing, and remembering it for thousands of clients costs more than all the rest.
    const after: Entry = { ...entry, ...patch, ...asked, state, history: none };
    if (state === 'pending') line = line.map((other) => (other === entry ? after : other));
    else {
      line = line.filter((other) => other !== entry);
      world.ended(after, now);
    }
    if (policy.breaker) gate = afterOutcome(gate, verdict, askedMs, now, dice, policy.breaker);
    if (wasDown && !isDown()) recover(now);
  }

  /** The breaker is open, or nothing reaches a server; never so for a client that knows neither. */
  function isDown(): boolean {
    return (gate !== undefined && gate.phase !== 'closed') || connectivity.verdict === 'offline';
  }

  function outlook(entry: Entry): Pick<AttemptFacts, 'connectivity' | 'outcomeBefore'> {
    return { connectivity: policy.connectivity ? connectivity.verdict : 'online', outcomeBefore: entry.outcome };
  }

  /** The origin is back: what waits for it goes soon. Budgets stay as they are. */
  function recover(now: number): void {
    line = line.map((entry) => {
      // What is under way is settled as it was sent.
      const sooner = going.has(entry.seq) ? null : afterRecovery(entry, policy.retry.backoff, now, roll());
      return sooner?.dueAt === undefined ? entry : { ...entry, dueAt: sooner.dueAt };
    });
  }

  return {
    write(seq, now) {
      line.push(sampleEntry(seq, { lane: world.ordered ? 'orders' : null, createdAt: now, dueAt: now }));
      look(now);
    },
    online(now) {
      if (policy.connectivity) connectivity = afterHint(connectivity, 'online', now, policy.connectivity);
      look(now, true);
    },
  };
}

function factsOf(reply: Reply | null): AttemptFacts {
  const nothing = { ...sampleAttempt, status: 0, type: '', url: '', contentType: null };
  if (reply === null) return { ...nothing, kind: 'timeout' };
  if (reply.status === 0) return { ...nothing, kind: 'network' };
  const { status, problemType } = reply;
  return { ...sampleAttempt, status, ...(problemType !== undefined && { problemType }) };
}
