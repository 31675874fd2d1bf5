import type { Entry } from '../core/entry';
import { standing } from '../core/gates';
import { laneKeyOf, originOf } from '../core/index-keys';
import { advance } from '../core/lifecycle';
import { bury } from '../flow/bury';
import { allowance } from '../flow/allowance';
import { reclaim } from '../flow/claim';
import { leaseMs } from '../flow/leases';
import { change, type Ledger } from '../flow/ledger';
import { notify } from '../flow/notify';
import { createSender } from '../flow/send';
import { createSettler } from '../flow/settler';
import type { Held, Rows } from '../ports';
import { extrasOf } from './extras';
import { isLent, passedOn } from './lending';
import { sentByApp } from './reserve';
import { inLine, isExpired, type Line } from './line';

/** How long one hold of the outbox's lock lasts at most, ms: other contexts want their turn. */
const sliceMs = 20_000;

type Next = { readonly claimed: Entry } | 'none' | 'later';

/**
 * Sends everything that waits in one queue, in order, through the outbox: with its key, judged by its answer, kept until it is
 * answered. What was due later is due now, except where the server itself asked for quiet.
 * @returns `empty`, or `waiting` when one could not be delivered now: it and those behind it stay in the queue
 */
export async function replay(line: Line): Promise<'empty' | 'waiting'> {
  const { context } = line;
  for (;;) {
    // The outbox's own drain works under the same lock, so that no request is sent by both.
    const turn = await context.lock.hold('drain', { wait: true }, (held) => slice(line, held));
    if (turn.held && turn.value !== 'more') return turn.value;
  }
}

async function slice(line: Line, held: Held): Promise<'empty' | 'waiting' | 'more'> {
  const { context } = line;
  const settler = createSettler(context);
  const sender = createSender(context, { settler, subject: '', mayGoOn: () => !held.lost });
  const endsAt = context.system.now() + sliceMs;
  notify(context, await change(context.store, 'relaxed', (ledger) => reclaim(ledger, context, '', held.alone)));
  let sent: Entry | undefined;
  while (!held.lost && context.system.now() < endsAt) {
    const before = sent;
    // What became of the one before is written in the same transaction, and seen in it.
    const next = await settler.before((ledger) => claimNext(ledger, line, before));
    if (next === 'none') return 'empty';
    if (next === 'later') return 'waiting';
    const ended = sender.ended();
    sender.start([next.claimed]);
    await sender.oneDone(ended);
    sent = next.claimed;
  }
  await settler.flush();
  return sent && (await context.store.transact('read', (rows) => isBack(rows, sent))) ? 'waiting' : 'more';
}

/** It was sent and waits again: those behind it do not overtake it. */
async function isBack(rows: Rows, sent: Entry | undefined): Promise<boolean> {
  return sent !== undefined && (await rows.bySeq(sent.seq))?.state === 'pending';
}

async function claimNext(ledger: Ledger, { context, queue }: Line, before: Entry | undefined): Promise<Next> {
  if (await isBack(ledger.rows, before)) return 'later';
  const now = context.system.now();
  for await (const entry of inLine(ledger.rows, queue)) {
    // The app has it in its hands.
    if (isLent(entry)) continue;
    // Somebody without the lock is still at it: nobody overtakes.
    if (entry.state === 'sending') return 'later';
    if (await endOf(ledger, entry, now)) continue;
    return isQuiet(ledger, entry, now, context.config.concurrency)
      ? 'later'
      : { claimed: await claim(ledger, entry, context.owner, now + leaseMs(context, entry)) };
  }
  return 'none';
}

/** A person paused it, or the server asked for time, for this request or for all; a replay is a hint that things may be better, so one may probe. */
function isQuiet(ledger: Ledger, entry: Entry, now: number, cap: number): boolean {
  if ((entry.askedUntil ?? 0) > now || (entry.notBefore ?? 0) > now) return true;
  const { all, routes, lanes } = ledger.gates;
  const pauses = [all, routes[entry.route], lanes[laneKeyOf(entry.subject, entry.lane ?? '')]];
  if (pauses.some((pause) => pause?.why !== sentByApp && standing(pause, now))) return true;
  return allowance(ledger.gates, originOf(entry.request.url), now, true, cap).allowed === 0;
}

function claim(ledger: Ledger, entry: Entry, owner: string, until: number): Promise<Entry> {
  return ledger.update(entry, { state: advance(entry.state, 'claim'), lease: { owner, token: ledger.token(), until } });
}

/**
 * What waits but must not be sent any more: its time is over, or the app had sent it when its worker died.
 * @returns it as it ended, or undefined when it may go
 */
export async function endOf(ledger: Ledger, entry: Entry, now: number): Promise<Entry | undefined> {
  if (extrasOf(entry).passed) return passedOn(ledger, entry, now);
  if (!isExpired(entry, now)) return undefined;
  return bury(ledger, entry, { reason: 'expired', message: expiredMessage(entry), at: now });
}

function expiredMessage({ outcome }: Entry): string {
  return outcome === 'never-sent'
    ? "Its queue's maxRetentionTime passed before it could be sent; it was never sent."
    : "Its queue's maxRetentionTime passed before the server answered; an earlier attempt may have been received.";
}
