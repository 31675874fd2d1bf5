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

/** How many turns of the microtask queue the next of a line takes to come after the one before it. */
const turnsOfLine = 12;

export function createRecorder(context: Context): Recorder {
  const { limits, durability } = context.config;
  /** What was written before, and perhaps committed although it was said to have failed. */
  const tried = new WeakSet<Intent>();
  const writes = batch<Intent, Recorded>(
    async (intents) => {
      const work = async (ledger: Ledger) => {
        const outcomes = await each(intents, (intent) => record(ledger, intent, limits));
        // Of those who made these: how much others on the device have waiting is nobody's business.
        const waiting = intents.map(({ entry }) => own(ledger.book.subjects, entry.subject) ?? noCounts);
        return { outcomes, queued: Math.max(...waiting.map(({ pending, sending }) => pending + sending)) };
      };
      const changed = await change(context.store, durability, work, (rows) => {
        const questions = questionsOf(intents, tried);
        for (const intent of intents) tried.add(intent);
        return readAhead(rows, questions);
      });
      notify(context, changed);
      warnOfPressure(context, changed.value.queued);
      return changed.value.outcomes;
    },
    { turns: turnsOfLine },
  );

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

/** A key that was made for its intent is looked up only when that was tried before. */
function questionsOf(intents: readonly Intent[], tried: WeakSet<Intent>): Questions {
  const [newKeys, keys, laneKeys]: [string[], string[], string[]] = [[], [], []];
  for (const intent of intents) {
    const { key, subject, lane } = intent.entry;
    (intent.keyIsNew && !tried.has(intent) ? newKeys : keys).push(key);
    if (lane !== null) laneKeys.push(laneKeyOf(subject, lane));
  }
  return { newKeys, keys, laneKeys };
}

function tellQueued(context: Context, entry: Entry): void {
  log(context, { event: 'enqueue', id: entry.id, route: entry.route, nextAt: entry.dueAt });
  context.tell({ type: 'queued', entry });
}
