import { laneKeyOf } from '../core/index-keys';
import { batch, each } from './batch';
import { log, type Context } from './context';
import { change, type Ledger } from './ledger';
import { notify } from './notify';
import { noCounts } from '../core/control';
import { own } from '../core/own';
import { readAhead, type Questions } from './read-ahead';
import { record, type Intent, type Recorded } from './record';
import type { Entry } from '../core/entry';

/** Stores intents; those that come in while one transaction commits share the next. */
export interface Recorder {
  /**
   * Resolves when the intent is on the disk (`durability: 'strict'`) or with the system (`relaxed`).
   * @throws OutboxError `full`, `duplicate-key`, `dependency-failed`, `quota-exceeded`, `storage-unavailable`
   */
  record(intent: Intent): Promise<Recorded>;
}

export function createRecorder(context: Context): Recorder {
  const { limits, durability } = context.config;
  const writes = batch<Intent, Recorded>(async (intents) => {
    const work = async (ledger: Ledger) => {
      const outcomes = await each(intents, (intent) => record(ledger, intent, limits));
      // Of those who made these: how much others on the device have waiting is nobody's business.
      const waiting = intents.map(({ entry }) => own(ledger.book.subjects, entry.subject) ?? noCounts);
      return { outcomes, queued: Math.max(...waiting.map(({ pending, sending }) => pending + sending)) };
    };
    const changed = await change(context.store, durability, work, (rows) => readAhead(rows, questionsOf(intents)));
    notify(context, changed);
    warnOfPressure(context, changed.value.queued);
    return changed.value.outcomes;
  });

  return {
    async record(intent) {
      try {
        const recorded = await writes.add(intent);
        if (recorded.isNew) tellQueued(context, recorded.entry);
        return recorded;
      } catch (error) {
        log(context, { event: 'refused', route: intent.entry.route, message: String(error) });
        throw error;
      }
    },
  };

  function warnOfPressure({ config, tell }: Context, queued: number): void {
    if (queued < config.limits.pressureAt) return;
    log(context, { event: 'pressure', queued });
    tell({ type: 'pressure', pending: queued });
  }
}

function questionsOf(intents: readonly Intent[]): Questions {
  const laneKeys = intents.flatMap(({ entry: { subject, lane } }) => (lane === null ? [] : [laneKeyOf(subject, lane)]));
  return { keys: intents.map(({ entry }) => entry.key), laneKeys };
}

function tellQueued(context: Context, entry: Entry): void {
  log(context, { event: 'enqueue', id: entry.id, route: entry.route, nextAt: entry.dueAt });
  context.tell({ type: 'queued', entry });
}
