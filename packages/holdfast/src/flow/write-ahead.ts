import type { Entry } from '../core/entry';
import { asOutboxError } from '../core/errors';
import { bury } from './bury';
import { orphan } from './claim';
import { log, type Context } from './context';
import type { Judged } from './judge';
import { learn } from './learn';
import { change } from './ledger';
import { notify } from './notify';
import { giveBack, release, settle } from './settle';
import { tellFate } from './tell';

/* What becomes of a request that was stored before its live attempt. */

/** Begun by a run that was killed or says nothing: its lease is of no use to anybody, and nobody knows how far it got. */
export async function letGo(context: Context, { seq, id }: Entry): Promise<void> {
  const changed = await change(context.store, 'relaxed', async (ledger) => {
    const entry = await ledger.rows.bySeq(seq);
    if (entry?.id !== id || entry.state !== 'sending' || !entry.lease?.live || entry.lease.owner === context.owner)
      return;
    await release(ledger, entry, orphan(entry, context.system.now()));
  });
  notify(context, changed);
}

/** Never sent, so it waits as if the attempt had not been begun. Never rejects: without the store its lease runs out instead. */
export async function putBack(context: Context, entry: Entry): Promise<void> {
  try {
    const changed = await change(context.store, 'relaxed', (ledger) => giveBack(ledger, entry));
    notify(context, changed);
  } catch (error) {
    log(context, { event: 'error', level: 'debug', message: String(error) });
  }
}

/** Writes the outcome. Never rejects: the page gets its answer all the same, and the entry is sent again under its key. */
export async function settleAhead(context: Context, entry: Entry, judged: Judged, answered: boolean): Promise<void> {
  try {
    await writeAheadOutcome(context, entry, judged, answered);
  } catch (error) {
    const why = asOutboxError(error, 'storage-unavailable', 'the outcome could not be written');
    log(context, { event: 'error', id: entry.id, message: String(error) });
    context.tell({ type: 'error', code: why.code, message: why.message });
  }
}

async function writeAheadOutcome(context: Context, entry: Entry, judged: Judged, answered: boolean): Promise<void> {
  const changed = await change(context.store, context.config.durability, async (ledger) => {
    await learn(ledger, context, judged, entry.request.url);
    const now = await settle(ledger, { entry, settlement: judged.settlement, answer: judged.answer, holdsLane: false });
    // The page has the server's refusal in its hands: it is no dead letter.
    if (now && answered && now.state === 'dead') await ledger.remove(now);
    return now;
  });
  notify(context, changed);
  if (changed.value) tellFate(context, changed.value, judged);
}

/** The page aborted it, and nobody knows how far it got. */
export async function abandon(context: Context, ahead: Entry): Promise<void> {
  notify(
    context,
    await change(context.store, 'relaxed', async (ledger) => {
      const now = await ledger.rows.bySeq(ahead.seq);
      const at = context.system.now();
      if (now?.id === ahead.id && now.state === 'sending')
        await bury(ledger, now, { reason: 'cancelled', message: 'the page aborted it', at }, { outcome: 'unknown' });
    }),
  );
}
