import type { Journal, JournalLine } from '../core/control';
import type { Body } from '../ports';
import type { Captured } from './capture';
import { batch } from './batch';
import { log, type Context } from './context';
import type { CaughtBy } from './intent';
import { createReturns, type Returns } from './returns';

/**
 * Requests a worker has caught and not answered yet, by idempotency key. A worker can be killed in the middle of that, and
 * Chromium then dispatches the same fetch again to the next one: with a new key it would take effect twice.
 */
export interface FetchJournal {
  /** The key under which an earlier run of this worker began the very same fetch, if there is one. */
  adopt(caughtBy: CaughtBy, captured: Captured): Promise<string | undefined>;
  /** Notes that a fetch is about to be sent or stored. Never rejects. */
  begin(key: string, caughtBy: CaughtBy, captured: Captured, place: Place): Promise<void>;
  /**
   * Something is caught now: its place among all of this run. Of one lane nobody is noted before those who came earlier, so that
   * whoever comes back unknown came later than all that are known.
   */
  arrive(lane: string | null): Place;
  /** Those that may come back. */
  readonly returns: Returns;
  /** The page has its answer. */
  end(key: string): Promise<void>;
}

/** Where a fetch stood. */
export interface Place {
  readonly lane: string | null;
  /** Epoch ms. */
  readonly at: number;
  readonly nth: number;
  /** Resolves when those who came earlier are noted, or will not be. */
  readonly earlierNoted: Promise<unknown>;
  /** This one is noted, or will not be. */
  readonly passed: () => void;
}

/** The engine dispatches again at once; whatever comes later is a new intent, milliseconds. */
const adoptWithinMs = 60_000;

/** Lines of runs that ended without a second dispatch are forgotten after this, milliseconds. */
const keepMs = 300_000;

export function createJournal(context: Context): FetchJournal {
  const { system, store } = context;
  const startedAt = system.now();
  let arrived = 0;
  const last = new Map<string, Promise<void>>();
  const isYoung = (): boolean => system.now() - startedAt < adoptWithinMs;

  type Change = (journal: Journal) => Journal;
  const writes = batch<Change, undefined>(async (changes) => {
    await store.transact('relaxed', async (rows) => {
      const before = (await rows.control('journal')) ?? {};
      const after = changes.reduce((journal, change) => change(journal), before);
      if (after !== before) await rows.putControl('journal', after);
    });
    return changes.map(() => ({ value: undefined }));
  });

  function write(change: Change): Promise<void> {
    return writes
      .add(change)
      .catch((error: unknown) =>
        log(context, { event: 'error', level: 'debug', message: `journal: ${String(error)}` }),
      );
  }

  /** Lines of earlier runs: they are dead, so this does not change any more. */
  let earlier: Promise<ReadonlyMap<string, JournalLine>> | undefined;
  function begunBefore(run: string): Promise<ReadonlyMap<string, JournalLine>> {
    const read = async (): Promise<Map<string, JournalLine>> => {
      const journal = await store.transact('read', (rows) => rows.control('journal'));
      return new Map(Object.entries(journal ?? {}).filter(([, line]) => line.run !== run));
    };
    earlier ??= read();
    // Without the store nobody knows; whoever comes next asks again.
    return earlier.catch(() => {
      earlier = undefined;
      return new Map<string, JournalLine>();
    });
  }

  /** Those of them nobody has come back for. */
  let unclaimed: Map<string, JournalLine> | undefined;
  async function linesBefore(run: string): Promise<Map<string, JournalLine>> {
    const lines = await begunBefore(run);
    if (!earlier) return new Map();
    unclaimed ??= new Map(lines);
    return unclaimed;
  }

  return {
    arrive(lane) {
      let passed = (): void => undefined;
      const mine = new Promise<void>((resolve) => (passed = resolve));
      const earlierNoted = (lane !== null && last.get(lane)) || Promise.resolve();
      if (lane !== null) last.set(lane, mine);
      return {
        lane,
        at: system.now(),
        nth: (arrived += 1),
        earlierNoted,
        passed() {
          passed();
          if (lane !== null && last.get(lane) === mine) last.delete(lane);
        },
      };
    },
    returns: createReturns(system, async (run) => (isYoung() ? [...(await begunBefore(run))].sort(byPlace) : [])),
    async adopt(caughtBy, captured) {
      if (!isYoung()) return undefined;
      const lines = await linesBefore(caughtBy.run);
      if (lines.size === 0) return undefined;
      const print = await fingerprint(captured);
      const fits = ([, line]: [string, JournalLine]): boolean =>
        line.clientId === caughtBy.clientId && line.print === print;
      const key = [...lines].find(fits)?.[0];
      // The next like it is another intent.
      if (key !== undefined) lines.delete(key);
      return key;
    },
    async begin(key, { clientId, run }, captured, { lane, at, nth, earlierNoted, passed }) {
      const print = await fingerprint(captured);
      const line: JournalLine = { clientId, run, print, at, nth, ...(lane !== null && { lane }) };
      await earlierNoted;
      const written = write((journal) => {
        const fresh = Object.entries(journal).filter(
          ([, { run: other, at: then }]) => other === run || at - then < keepMs,
        );
        return { ...Object.fromEntries(fresh), [key]: line };
      });
      passed();
      await written;
    },
    end: (key) =>
      write((journal) => {
        if (!(key in journal)) return journal;
        const { [key]: _, ...others } = journal;
        return others;
      }),
  };
}

function byPlace([, one]: readonly [string, JournalLine], [, other]: readonly [string, JournalLine]): number {
  return one.at - other.at || (one.nth ?? 0) - (other.nth ?? 0);
}

/** Bodies above this are told apart by their size only, bytes. */
const hashMax = 1_048_576;

/** What makes two dispatches the same fetch; short, and no content of the body. */
async function fingerprint({ request, body }: Captured): Promise<string> {
  const size = body === null ? -1 : body instanceof Uint8Array ? body.byteLength : body.size;
  const bytes = body !== null && size <= hashMax ? await bytesOf(body) : new Uint8Array();
  return `${request.method} ${request.url} ${size} ${hash(bytes)}`;
}

async function bytesOf(body: Body): Promise<Uint8Array> {
  return body instanceof Uint8Array ? body : new Uint8Array(await body.arrayBuffer());
}

/** FNV-1a, 32 bits: it tells apart what one page sends within a minute; nothing is trusted to it. */
function hash(bytes: Uint8Array): number {
  let value = 0x811c9dc5;
  for (const byte of bytes) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}
