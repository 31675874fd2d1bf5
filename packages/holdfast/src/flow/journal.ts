import type { JournalLine } from '../core/control';
import type { Rows } from '../ports';
import type { Captured } from './capture';
import { batch } from './batch';
import { log, type Context } from './context';
import { fingerprint } from './fingerprint';
import type { CaughtBy } from './intent';
import { createPlaces, type Place } from './places';
import { createReturns, type Returns } from './returns';

/**
 * Requests a worker has caught and not answered yet, by idempotency key. A worker can be killed in the middle of that, and
 * Chromium then dispatches the same fetch again to the next one: with a new key it would take effect twice.
 */
export interface FetchJournal {
  /** The key under which an earlier run of this worker began the very same fetch, if there is one. */
  adopt(caughtBy: CaughtBy, captured: Captured): Promise<string | undefined>;
  /** Notes that a fetch is about to be sent or stored. */
  begin<Seen>(caught: Begun, look: (rows: Rows) => Promise<Seen>): Noted<Seen>;
  /** Something is caught now: its place among all of this run. */
  arrive(lane: string | null): Place;
  /** Those that may come back. */
  readonly returns: Returns;
  /** The page has its answer. */
  end(key: string): Promise<void>;
}

export interface Begun {
  readonly key: string;
  readonly caughtBy: CaughtBy;
  readonly captured: Captured;
  readonly place: Place;
}

export interface Noted<Seen> {
  /** Resolves when it is written, or cannot be. Never rejects. */
  readonly done: Promise<void>;
  /** What was seen in the same transaction; rejects when there was none. */
  readonly seen: Promise<Seen>;
}

/** The engine dispatches again at once; whatever comes later is a new intent, milliseconds. */
const adoptWithinMs = 60_000;

/** Lines of runs that ended without a second dispatch mean nothing after this, and are forgotten, milliseconds. */
const keepMs = 300_000;

export function createJournal(context: Context): FetchJournal {
  const { system, store } = context;
  const startedAt = system.now();
  const isYoung = (): boolean => system.now() - startedAt < adoptWithinMs;

  // Each line is a row of its own, so nobody has to read before he writes: this lies before every healthy request.
  type Write = (rows: Rows) => Promise<unknown>;
  const writes = batch<Write, unknown>((group) =>
    store.transact('relaxed', async (rows) => {
      const values = await Promise.all(group.map((write) => write(rows)));
      return values.map((value) => ({ value }));
    }),
  );

  async function written(writing: Promise<unknown>): Promise<void> {
    try {
      await writing;
    } catch (error) {
      log(context, { event: 'error', level: 'debug', message: `journal: ${String(error)}` });
    }
  }

  /** Lines of earlier runs, in the order in which they came: they are dead, so this does not change any more. */
  let earlier: Promise<readonly JournalLine[]> | undefined;
  function begunBefore(run: string): Promise<readonly JournalLine[]> {
    const read = async (): Promise<readonly JournalLine[]> => {
      const lines = await store.transact('read', (rows) => rows.journal());
      const others = lines.filter((line) => line.run !== run).sort(byPlace);
      const isOld = ({ at }: JournalLine): boolean => startedAt - at >= keepMs;
      void forget(others.filter(isOld));
      return others.filter((line) => !isOld(line));
    };
    earlier ??= read();
    // Without the store nobody knows; whoever comes next asks again.
    return earlier.catch(() => {
      earlier = undefined;
      return [];
    });
  }

  async function forget(lines: readonly JournalLine[]): Promise<void> {
    if (lines.length === 0) return;
    await written(writes.add((rows) => Promise.all(lines.map(({ key }) => rows.removeJournalLine(key)))));
  }

  /** Those of them nobody has come back for. */
  let unclaimed: Map<string, JournalLine> | undefined;
  async function linesBefore(run: string): Promise<Map<string, JournalLine>> {
    const lines = await begunBefore(run);
    if (!earlier) return new Map();
    unclaimed ??= new Map(lines.map((line) => [line.key, line]));
    return unclaimed;
  }

  return {
    arrive: createPlaces(system),
    returns: createReturns(system, async (run) => (isYoung() ? begunBefore(run) : [])),
    async adopt(caughtBy, captured) {
      if (!isYoung()) return undefined;
      const lines = await linesBefore(caughtBy.run);
      if (lines.size === 0) return undefined;
      const print = await fingerprint(captured);
      const line = [...lines.values()].find((one) => one.clientId === caughtBy.clientId && one.print === print);
      // The next like it is another intent.
      if (line) lines.delete(line.key);
      return line?.key;
    },
    begin<Seen>({ key, caughtBy: { clientId, run }, captured, place }: Begun, look: (rows: Rows) => Promise<Seen>) {
      const { lane, at, nth } = place;
      const note = async (): Promise<unknown> => {
        const print = await fingerprint(captured);
        const line: JournalLine = { key, clientId, run, print, at, nth, ...(lane !== null && { lane }) };
        await place.earlierNoted;
        const writing = writes.add(async (rows) => {
          const seeing = look(rows);
          seeing.catch(() => undefined);
          await rows.putJournalLine(line);
          return seeing;
        });
        place.passed();
        return writing;
      };
      const noting = note();
      return { done: written(noting), seen: noting as Promise<Seen> };
    },
    end: (key) => written(writes.add((rows) => rows.removeJournalLine(key))),
  };
}

function byPlace(one: JournalLine, other: JournalLine): number {
  return one.at - other.at || (one.nth ?? 0) - (other.nth ?? 0);
}
