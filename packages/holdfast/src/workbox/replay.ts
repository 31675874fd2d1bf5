import type { Entry } from '../core/entry';
import { standing } from '../core/gates';
import { laneKeyOf, originOf } from '../core/index-keys';
import { advance } from '../core/lifecycle';
import { bury } from '../flow/bury';
import { allowance, reclaim } from '../flow/claim';
import { leaseMs } from '../flow/leases';
import { change, type Ledger } from '../flow/ledger';
import { notify } from '../flow/notify';
import { createSender, type Sender } from '../flow/send';
import type { Held } from '../ports';
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
  const sender = createSender(context, { subject: '', mayGoOn: () => !held.lost });
  const endsAt = context.system.now() + sliceMs;
  notify(context, await change(context.store, 'relaxed', (ledger) => reclaim(ledger, context, '', held.alone)));
  while (!held.lost && context.system.now() < endsAt) {
    const next = await claimFirst(line);
    if (next === 'none') return 'empty';
    if (next === 'later' || !(await isDone(line, sender, next.claimed))) return 'waiting';
  }
  return 'more';
}

async function isDone({ context }: Line, sender: Sender, claimed: Entry): Promise<boolean> {
  sender.start([claimed]);
  await sender.oneDone();
  const now = await context.store.transact('read', (rows) => rows.bySeq(claimed.seq));
  return now?.state !== 'pending';
}

async function claimFirst({ context, queue }: Line): Promise<Next> {
  const changed = await change(context.store, 'relaxed', async (ledger): Promise<Next> => {
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
  });
  notify(context, changed);
  return changed.value;
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
