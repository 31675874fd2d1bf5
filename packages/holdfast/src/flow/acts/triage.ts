import { dueNow } from '../../core/clock';
import type { DeadLetter, Entry } from '../../core/entry';
import { OutboxError } from '../../core/errors';
import { advance } from '../../core/lifecycle';
import { tallyClosed } from '../../core/stats';
import { viewOf } from '../../core/snapshot';
import { buryChildren } from '../bury';
import { log, type Context } from '../context';
import { hook } from '../hook';
import { promoteNext, takePlace } from '../lane';
import type { Ledger } from '../ledger';
import { settle } from '../settle';
import { act, findMine } from './find';

/** Says who looks after a dead letter. @throws OutboxError `not-found`, `illegal-move` */
export function claimDead(context: Context, id: string, assignee: string): Promise<Entry> {
  // One that was closed is open again, and no longer forgotten after a while.
  return triage(context, id, ({ closedAt: _closedAt, resolution: _resolution, ...dead }, now) => ({
    ...dead,
    triage: 'claimed',
    assignee,
    claimedAt: now,
  }));
}

/** Done with it: the resolution is for the record, and a lane it held goes on. @throws OutboxError `not-found`, `illegal-move` */
export function closeDead(context: Context, id: string, resolution: string): Promise<Entry> {
  return triage(context, id, (dead, now) => ({
    ...dead,
    triage: 'closed',
    // Closed again it has another resolution, and is forgotten no later.
    closedAt: dead.closedAt ?? now,
    resolution,
  }));
}

async function triage(
  context: Context,
  id: string,
  step: (dead: DeadLetter, now: number) => DeadLetter,
): Promise<Entry> {
  const entry = await act(context, async (ledger, subject, now) => {
    const { found, dead } = await findDead(ledger, id, subject);
    const next = step(dead, now);
    const closes = next.triage === 'closed' && dead.triage !== 'closed';
    const updated = await ledger.update(found, { dead: next, ...(closes && { holdsLane: undefined }) });
    if (closes) {
      ledger.tally(found.subject, (tally) => tallyClosed(tally, dead.claimedAt, now));
      if (found.holdsLane) await promoteNext(ledger, found);
      await buryChildren(ledger, updated, now);
    }
    return updated;
  });
  log(context, { event: 'triage', id, route: entry.route, reason: entry.dead?.triage ?? '' });
  context.tell({ type: 'changed', entry });
  const onTriage = context.config.routeNamed(entry.route).onTriage ?? context.config.config.onTriage;
  if (onTriage) void hook(context, 'onTriage', () => onTriage(viewOf(entry, null))).catch(() => undefined);
  return entry;
}

/**
 * Sends a dead letter again: same key, same bytes (unless it was fixed), a fresh budget, its old place in line. The app's
 * `alreadyDone` probe is asked first.
 * @throws OutboxError `not-found`, `illegal-move`, `hook-failed` when the probe fails (nothing is changed then)
 */
export async function replay(context: Context, id: string): Promise<Entry> {
  const subject = (await context.subject()) ?? '';
  const before = await context.store.transact('read', (rows) => findMine(rows, id, subject));
  const probe = context.config.routeNamed(before.route).alreadyDone ?? context.config.config.alreadyDone;
  const done =
    probe && before.state === 'dead' ? await hook(context, 'alreadyDone', () => probe(viewOf(before, null))) : false;
  const entry = await act(context, async (ledger, _, now) => {
    const { found } = await findDead(ledger, id, subject);
    if (done === true) {
      const delivered = await settle(ledger, {
        entry: found,
        settlement: { move: 'deliver', patch: { finishedAt: now } },
        holdsLane: false,
      });
      if (delivered) return delivered;
    }
    ledger.tally(found.subject, (tally) => ({ ...tally, replays: tally.replays + 1 }));
    return ledger.update(found, {
      state: advance(found.state, 'replay'),
      head: await takePlace(ledger, found),
      dueAt: Math.max(dueNow(found, now), found.notBefore ?? 0),
      attempts: 0,
      spent: {},
      replays: found.replays + 1,
      waitsFor: await stillComing(ledger, found),
      dead: undefined,
      finishedAt: undefined,
      holdsLane: undefined,
      lastDelayMs: undefined,
      // A person says "now", also after its own time ran out.
      expiresAt: found.expiresAt !== undefined && found.expiresAt <= now ? undefined : found.expiresAt,
    });
  });
  log(context, { event: 'replay', id, route: entry.route });
  context.tell({ type: entry.state === 'delivered' ? 'delivered' : 'changed', entry });
  return entry;
}

/** Of what it waited for, what may still be answered. Without the others it fails again, with a reason, instead of waiting for ever. */
async function stillComing(ledger: Ledger, { waitsFor = [] }: Entry): Promise<readonly string[] | undefined> {
  const parents = await Promise.all(waitsFor.map((id) => ledger.rows.byId(id)));
  const left = waitsFor.filter((_, i) => parents[i] && parents[i].dead?.triage !== 'closed');
  return left.length > 0 ? left : undefined;
}

async function findDead(ledger: Ledger, id: string, subject: string): Promise<{ found: Entry; dead: DeadLetter }> {
  const found = await findMine(ledger.rows, id, subject);
  if (found.state === 'dead' && found.dead) return { found, dead: found.dead };
  throw new OutboxError('illegal-move', `entry "${id}" is ${found.state}, not in the dead-letter list`);
}
