import type { ResolvedRoute } from '../core/config';
import type { Entry } from '../core/entry';
import type { Arrived } from '../ports';
import { log, type Context } from './context';
import { judge } from './judge';
import { learn } from './learn';
import { change } from './ledger';
import { notify } from './notify';
import { settle } from './settle';
import { tellFate } from './tell';

/** Brings together an answer that came after its deadline and the entry that is kept because it had not come. */
export interface LateAnswer {
  hear(answer: Arrived): void;
  /** The end of its time is written down, or cannot be. */
  keptAs(entry: Entry): void;
}

/** An attempt whose answer may come late. */
export interface Sent {
  /** As it was when it left: what an answer means depends on what was known then. */
  readonly entry: Entry;
  readonly route: ResolvedRoute;
  /** Epoch ms. */
  readonly startedAt: number;
}

/**
 * What the server did is done, whenever it says so: a late success settles the entry, whether it waits, is being sent again or
 * is dead. Of a late refusal only the wish to be left alone is heard; what it was about is asked again under the same key, and
 * nothing a newer attempt decided is touched.
 */
export function lateAnswer(context: Context, sent: Sent): LateAnswer {
  let answer: Arrived | undefined;
  let kept: Entry | undefined;

  function bothHere(): void {
    if (!answer || !kept) return;
    const heard = answer;
    takeIn(context, sent, kept, heard)
      .catch((error: unknown) =>
        log(context, { event: 'error', level: 'debug', message: `late answer: ${String(error)}` }),
      )
      // Unread it would keep its connection.
      .finally(() => void heard.text(0));
  }

  return {
    hear(heard) {
      answer = heard;
      bothHere();
    },
    keptAs(entry) {
      kept = entry;
      bothHere();
    },
  };
}

async function takeIn(
  context: Context,
  { entry, route, startedAt }: Sent,
  kept: Entry,
  answer: Arrived,
): Promise<void> {
  const tookMs = context.system.now() - startedAt;
  const arrival = { kind: 'answer', answer } as const;
  const judged = await judge(context, { entry, route, arrival, tookMs, beganOffline: false, late: true });
  const { settlement, verdict } = judged;
  if (settlement.move !== 'deliver' && !verdict.pausesOrigin) return;
  const changed = await change(context.store, context.config.durability, async (ledger) => {
    await learn(ledger, context, judged, entry.request.url);
    if (settlement.move !== 'deliver') return undefined;
    return settle(ledger, { entry: kept, settlement, answer: judged.answer, holdsLane: false });
  });
  notify(context, changed);
  if (changed.value) tellFate(context, changed.value, judged);
}
