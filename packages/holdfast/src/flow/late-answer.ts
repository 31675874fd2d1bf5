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

/** Brings together an answer that came after its deadline and the entry that was kept because it had not come. */
export interface LateAnswer {
  hear(answer: Arrived): void;
  keptAs(entry: Entry): void;
}

/** What the server did is done, whenever it says so: a late success settles the entry. A late refusal is asked for again. */
export function lateAnswer(context: Context, route: ResolvedRoute, startedAt: number): LateAnswer {
  let answer: Arrived | undefined;
  let entry: Entry | undefined;

  function bothHere(): void {
    if (!answer || !entry) return;
    deliver(context, route, entry, answer, startedAt).catch((error: unknown) =>
      log(context, { event: 'error', level: 'debug', message: `late answer: ${String(error)}` }),
    );
  }

  return {
    hear(heard) {
      answer = heard;
      bothHere();
    },
    keptAs(kept) {
      entry = kept;
      bothHere();
    },
  };
}

async function deliver(
  context: Context,
  route: ResolvedRoute,
  entry: Entry,
  answer: Arrived,
  startedAt: number,
): Promise<void> {
  const tookMs = context.system.now() - startedAt;
  const judged = await judge(context, {
    entry,
    route,
    arrival: { kind: 'answer', answer },
    tookMs,
    beganOffline: false,
  });
  if (judged.settlement.move !== 'deliver') return;
  const changed = await change(context.store, context.config.durability, async (ledger) => {
    await learn(ledger, context, judged, entry.request.url);
    return settle(ledger, { entry, settlement: judged.settlement, answer: judged.answer, holdsLane: false });
  });
  notify(context, changed);
  if (changed.value) tellFate(context, changed.value, judged);
}
